/* SPDX-License-Identifier: MIT */
/*
 * The registry's table of states, as core/README has it: in every state every
 * event does what the table says, or nothing; and never to a key that is
 * another by now.
 */
#include "core/shm/registry.h"

#include "t/lib/tap.h"

#include <stdlib.h>

#define FREE PTL_KEY_FREE
#define CLAIMED PTL_KEY_CLAIMED
#define LISTED PTL_KEY_LISTED
#define AWAITED PTL_KEY_AWAITED
#define FOUND PTL_KEY_FOUND
#define NO UINT32_MAX

/* All that four bits can say: behind FOUND they mean nothing. */
#define NR_STATES 16
#define DAMAGED 5

static const char *const states[] = {"FREE",	"CLAIMED", "LISTED",
				     "AWAITED", "FOUND",   "damaged"};

static const struct {
	const char *name;
	uint32_t to[DAMAGED + 1];
} events[PTL_KEY_EVENTS] = {
	/*			 FREE     CLAIMED  LISTED   AWAITED  FOUND */
	[PTL_KEY_CLAIM] = {"CLAIM", {CLAIMED, NO, NO, NO, NO, NO}},
	[PTL_KEY_LIST] = {"LIST", {NO, LISTED, NO, NO, NO, NO}},
	[PTL_KEY_AWAIT] = {"AWAIT", {NO, AWAITED, NO, NO, NO, NO}},
	[PTL_KEY_TAKE] = {"TAKE", {NO, NO, NO, CLAIMED, NO, NO}},
	[PTL_KEY_KEEP] = {"KEEP", {NO, NO, LISTED, LISTED, NO, NO}},
	[PTL_KEY_MARK] = {"MARK",
			  {NO, CLAIMED, LISTED, AWAITED, FOUND, DAMAGED}},
	[PTL_KEY_FIND] = {"FIND", {NO, NO, FOUND, FOUND, FOUND, FOUND}},
	[PTL_KEY_POSTPONE] = {"POSTPONE", {NO, NO, NO, NO, LISTED, NO}},
	[PTL_KEY_GIVE_BACK] = {"GIVE_BACK", {NO, FREE, FREE, FREE, FREE, FREE}},
};

static struct ptl_registry reg;

static uint64_t key_in(uint32_t state, uint32_t generation)
{
	return (uint64_t)4711 << 32 | (uint64_t)12 << 16 | state << 12 |
	       generation;
}

/* What it says besides its state. */
static bool says(uint64_t key, uint32_t pid, uint32_t life, uint32_t generation)
{
	return ptl_key_pid(key) == pid && ptl_key_life(key) == life &&
	       (key & 0xfff) == generation;
}

static bool is_done(uint32_t state, enum ptl_key_event event, uint32_t to,
		    uint32_t generation)
{
	struct ptl_shm_entry *entry = &reg.shm->entry[3];
	_Atomic uint64_t *word = ptl_registry_key(&reg, entry);
	uint64_t from = key_in(state, generation), key = from;
	bool done;

	atomic_store(word, from);
	done = ptl_registry_change(&reg, entry, &key, event, 815, 77);
	if (to == NO)
		return !done && key == from && atomic_load(word) == from;
	return done && key == atomic_load(word) && ptl_key_state(key) == to &&
	       says(key, 815, 77, (generation + 1) & 0xfff);
}

/* The key is another's by now: one generation on. */
static bool is_late(uint32_t state, enum ptl_key_event event)
{
	struct ptl_shm_entry *entry = &reg.shm->entry[3];
	_Atomic uint64_t *word = ptl_registry_key(&reg, entry);
	uint64_t key = key_in(state, 7);

	atomic_store(word, key_in(state, 8));
	return !ptl_registry_change(&reg, entry, &key, event, 815, 77) &&
	       key == key_in(state, 7) && atomic_load(word) == key_in(state, 8);
}

static void test(uint32_t state, enum ptl_key_event event)
{
	uint32_t known = PTL_MIN(state, (uint32_t)DAMAGED);
	uint32_t to = events[event].to[known];

	if (to == DAMAGED)
		to = state;
	ok(is_done(state, event, to, 5) && is_done(state, event, to, 0xfff) &&
		   is_late(state, event),
	   "%s (%u): %s: %s", states[known], state, events[event].name,
	   to == NO ? "refused" : states[PTL_MIN(to, (uint32_t)DAMAGED)]);
}

int main(void)
{
	uint64_t key = 0;
	struct ptl_shm_entry start = {.ident.pid = 4711}, *entry;

	plan(NR_STATES * PTL_KEY_EVENTS + 2);
	reg.shm = calloc(1, sizeof(*reg.shm));
	atomic_store(&reg.shm->room, 8);
	atomic_store(&reg.shm->span, 8);
	for (uint32_t state = 0; state < NR_STATES; state++)
		for (unsigned int event = 0; event < PTL_KEY_EVENTS; event++)
			test(state, event);
	entry = ptl_registry_reserve(&reg, NULL, &start, 4711, 12, &key);
	ok(entry && key == *ptl_registry_key(&reg, entry) &&
		   ptl_key_state(key) == CLAIMED && says(key, 4711, 12, 1),
	   "one that is free is claimed by the same table");
	for (uint32_t i = 0; i < 8; i++)
		atomic_store(&reg.shm->key[i], key_in(LISTED + i % 3, 0));
	atomic_store(&reg.shm->room, PTL_ENTRIES_MAX);
	reg.uid = UINT32_MAX;
	atomic_store(&reg.shm->span, 8);
	entry = ptl_registry_reserve(&reg, NULL, &start, 4711, 12, &key);
	ok(entry && entry >= &reg.shm->entry[8], "and none that is not");
	return done();
}
