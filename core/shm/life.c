/* SPDX-License-Identifier: MIT */
#include "core/shm/life.h"

#include "core/shm/segment.h"
#include "core/sys/lifeline.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>

/* The kernel looks at all locks of a file for each that is set. */
#define BYTES_OF_FILE 64u

/* How many bytes to try in a range, before one twice as large, and in the
 * last. */
#define TRIES 8u
#define TRIES_LAST 64u

/* Of how many those are asked who start a trace. */
#define BYTES_ASKED 256u

/* With so few free entries it is looked for those that can be had again. */
#define NEARLY_FULL 8u

/* How long a program may take to start, as seen from another pid namespace. */
#define EXEC_NS UINT64_C(10000000000)

static int open_file(int dir, uint32_t byte, int flags)
{
	char name[PTL_SHM_NAME] = "l.";

	ptl_utoa(name + 2, byte / BYTES_OF_FILE, 10);
	return ptl_sys_open(dir, name,
			    flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
}

/* Of this process: they stay mapped as long as the program is there. */
static void *line, *former;

static bool lock(int dir, uint32_t byte)
{
	int fd = open_file(dir, byte, O_RDWR | O_CREAT);
	void *taken = NULL;

	if (fd >= 0) {
		taken = ptl_lifeline_take(fd, byte % BYTES_OF_FILE, false,
					  false);
		ptl_sys_close(fd);
	}
	if (!taken)
		return false;
	former = line;
	line = taken;
	return true;
}

void ptl_life_let_go(void)
{
	if (former)
		ptl_lifeline_drop(former);
	former = NULL;
}

/* Whoever had this number is dead, or we would not have it.  Returns how many
 * entries are in use. */
static uint32_t bury_former(const struct ptl_registry *reg, uint32_t life)
{
	struct ptl_shm_entry *entry;
	uint32_t at = 0, nr = 0;
	uint64_t key;

	for (; (entry = ptl_registry_next(reg, &at, &key)) != NULL; nr++)
		if (ptl_key_life(key) == life)
			ptl_registry_change(reg, entry, &key, PTL_KEY_MARK,
					    ptl_key_pid(key), PTL_LIFE_OVER);
	return nr;
}

/* Is there nobody to whom the end of its process would be told? */
static bool is_nobodys(const struct ptl_shm_entry *entry)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (atomic_load_explicit(&entry->refs[i], memory_order_relaxed))
			return false;
	return !ptl_registry_says(entry, PTL_ENTRY_CONTROLS);
}

static bool is_free(const struct ptl_life_bytes *bytes, uint32_t life)
{
	uint32_t byte = life - 1;

	return life == PTL_LIFE_OVER ||
	       (ptl_life_is_byte(life) &&
		(bytes->asked[byte / 64] & ~bytes->held[byte / 64]) >>
				(byte % 64) &
			1);
}

/*
 * Processes that nothing traces and that were killed: where no stream is made
 * nobody collects, and the registry would grow for them.  One that is between
 * two programs makes another entry.
 */
static PTL_COLD void bury_untraced(const struct ptl_registry *reg, int dir)
{
	struct ptl_life_bytes bytes;
	struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;

	ptl_life_ask(reg, dir, 0, &bytes);
	while ((entry = ptl_registry_next(reg, &at, &key)) != NULL)
		if (ptl_key_state(key) == PTL_KEY_LISTED &&
		    is_free(&bytes, ptl_key_life(key)) && is_nobodys(entry))
			ptl_registry_free(reg, entry, key);
}

static uint32_t take_of(int dir, uint32_t first, uint32_t span, uint32_t tries)
{
	for (uint32_t i = 0; i < tries; i++)
		if (lock(dir, (first + i * 7) % span))
			return (first + i * 7) % span + 1;
	return PTL_LIFE_NONE;
}

uint32_t ptl_life_take(const struct ptl_registry *reg, int dir)
{
	/* Few files as long as there are few processes. */
	uint32_t span = reg->shm ? atomic_load_explicit(&reg->shm->span,
							memory_order_relaxed) :
				   0;
	uint32_t first = (uint32_t)ptl_sys_getpid() * 2654435761u;
	uint32_t life = PTL_LIFE_NONE;

	span = PTL_MAX(PTL_MIN(span, PTL_ENTRIES_MAX), BYTES_OF_FILE);
	/* After a mount there may be another directory. */
	if (!reg->shm || !ptl_registry_is_in(reg, dir, reg->uid))
		return PTL_LIFE_NONE;
	for (; span < PTL_ENTRIES_MAX && !life; span *= 2)
		life = take_of(dir, first, span, TRIES);
	if (!life)
		life = take_of(dir, first, PTL_ENTRIES_MAX, TRIES_LAST);
	if (life &&
	    bury_former(reg, life) + NEARLY_FULL >=
		    atomic_load_explicit(&reg->shm->room, memory_order_relaxed))
		bury_untraced(reg, dir);
	return life;
}

static enum ptl_lifeline ask(int dir, uint32_t life)
{
	enum ptl_lifeline state;
	int fd;

	if (life == PTL_LIFE_OVER)
		return PTL_LIFELINE_FREE;
	if (!ptl_life_is_byte(life))
		return PTL_LIFELINE_UNKNOWN;
	fd = open_file(dir, life - 1, O_RDONLY);
	if (fd < 0)
		return PTL_LIFELINE_UNKNOWN;
	state = ptl_lifeline_ask(fd, (life - 1) % BYTES_OF_FILE);
	ptl_sys_close(fd);
	return state;
}

/* Asks for the bytes of one file; `first' is its first. */
static void ask_file(int dir, uint32_t first, struct ptl_life_bytes *bytes)
{
	uint64_t left = bytes->asked[first / 64];
	int fd = left ? open_file(dir, first, O_RDONLY) : -1;

	for (; fd >= 0 && left; left &= left - 1)
		if (ptl_lifeline_ask(fd, (uint64_t)__builtin_ctzll(left)) !=
		    PTL_LIFELINE_FREE)
			bytes->held[first / 64] |= left & -left;
	if (fd >= 0)
		ptl_sys_close(fd);
}

/* Marks the bytes in the keys of entries from `at' to `end'; returns how many
 * may still be marked. */
static unsigned int mark_bytes(const struct ptl_registry *reg, uint32_t at,
			       uint32_t end, unsigned int left,
			       struct ptl_life_bytes *bytes)
{
	uint64_t key;

	while (left && at < end && ptl_registry_next(reg, &at, &key)) {
		uint32_t byte = ptl_key_life(key) - 1;
		uint64_t bit = UINT64_C(1) << byte % 64;

		if (!ptl_life_is_byte(ptl_key_life(key)) ||
		    bytes->asked[byte / 64] & bit)
			continue;
		bytes->asked[byte / 64] |= bit;
		left--;
	}
	return left;
}

void ptl_life_ask(const struct ptl_registry *reg, int dir, uint32_t first,
		  struct ptl_life_bytes *bytes)
{
	unsigned int left = BYTES_ASKED;

	static_assert(BYTES_OF_FILE == 64, "a word of bits for each file");
	memset(bytes, 0, sizeof(*bytes));
	left = mark_bytes(reg, first, PTL_ENTRIES_MAX, left, bytes);
	mark_bytes(reg, 0, first, left, bytes);
	for (uint32_t byte = 0; byte < PTL_ENTRIES_MAX; byte += BYTES_OF_FILE)
		ask_file(dir, byte, bytes);
}

bool ptl_life_is_over(int dir, uint64_t key)
{
	return ask(dir, ptl_key_life(key)) == PTL_LIFELINE_FREE;
}

static bool is_starting(const struct ptl_shm_entry *entry)
{
	uint64_t since =
		atomic_load_explicit(&entry->exec_since, memory_order_relaxed);

	return since && ptl_boottime() - since < EXEC_NS;
}

/* Of another pid namespace, and no byte tells: it may have ended with the
 * namespace.  One that was missing the last time is looked for at once. */
static bool has_gone(struct ptl_shm_entry *entry,
		     const struct ptl_shm_ident *ident)
{
	return (ptl_registry_says(entry, PTL_ENTRY_MISSING) ||
		ptl_pidns_may_look(ident, &entry->look_again)) &&
	       ptl_pidns_gone(ident);
}

enum ptl_life ptl_life_of(int dir, struct ptl_shm_entry *entry, uint64_t key,
			  int *status)
{
	struct ptl_shm_ident ident = ptl_registry_ident(entry, key);
	bool is_near = ident.pidns == ptl_ident_our_pidns();
	uint32_t others = PTL_ENTRY_HEIR | PTL_ENTRY_PARENT;
	bool awaited = ptl_key_state(key) == PTL_KEY_AWAITED, gone;
	enum ptl_lifeline state;

	/* The byte stands for it and for all that have it from it. */
	if (ptl_registry_says(entry, PTL_ENTRY_LEFT))
		others &= ~PTL_ENTRY_PARENT;
	/* Whatever its byte says: it is not asked. */
	if (is_near && (awaited || ptl_registry_says(entry, others)))
		return ptl_ident_life(&ident, status);
	state = ask(dir, ptl_key_life(key));
	/* The byte may have begun to stand for others meanwhile. */
	if (state == PTL_LIFELINE_HELD && !awaited &&
	    !ptl_registry_says(entry, others))
		return PTL_LIFE_ALIVE;
	/* The process may have gone on to another program by a system call of
	 * its own, and have no byte for the moment. */
	if (is_near)
		return ptl_ident_life(&ident, status);
	if (state == PTL_LIFELINE_FREE)
		gone = awaited || !is_starting(entry) ||
		       has_gone(entry, &ident);
	else
		gone = state != PTL_LIFELINE_HELD && has_gone(entry, &ident);
	return gone ? PTL_LIFE_GONE : PTL_LIFE_ALIVE;
}

bool ptl_life_is_sure(int dir, const struct ptl_shm_entry *entry, uint64_t key)
{
	struct ptl_shm_ident ident = ptl_registry_ident(entry, key);

	return ask(dir, ptl_key_life(key)) != PTL_LIFELINE_FREE ||
	       ptl_ident_is_shown(&ident);
}

/* Of namesakes the last is the one: of a fork child that has ended the byte is
 * locked as long as its parent lives. */
static bool is_later(const struct ptl_shm_entry *entry,
		     const struct ptl_shm_entry *than)
{
	return !than || entry->ident.born > than->ident.born;
}

struct ptl_shm_entry *ptl_life_find(const struct ptl_registry *reg, int dir,
				    const struct ptl_shm_ident *ident,
				    uint64_t *key)
{
	struct ptl_shm_entry *entry, *listed = NULL, *awaited = NULL;
	uint64_t found;
	uint32_t at = 0;

	if (ident->pidns == ptl_ident_our_pidns())
		return ptl_registry_find(reg, ident, 0, key);
	while ((entry = ptl_registry_next_of(reg, ident->pid, &at, &found)) !=
	       NULL) {
		bool is_listed = ptl_key_state(found) == PTL_KEY_LISTED;

		if (entry->ident.pidns != ident->pidns ||
		    !is_later(entry, is_listed ? listed : awaited) ||
		    ptl_life_of(dir, entry, found, NULL) != PTL_LIFE_ALIVE)
			continue;
		if (is_listed)
			listed = entry;
		else
			awaited = entry;
		if (is_listed || !listed)
			*key = found;
	}
	return listed ? listed : awaited;
}
