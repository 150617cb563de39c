/* SPDX-License-Identifier: MIT */
#include "core/process/claim.h"

#include "core/process/mourn.h"
#include "core/record/attached.h"
#include "core/record/attached_names.h"
#include "core/shm/registry.h"
#include "core/sys/ident.h"

/* A word that others may change at any moment, or one in private memory. */
static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

/* Adds the streams that are in `start' and not in the entry yet. */
static void add_streams(struct ptl_shm_entry *entry,
			const struct ptl_shm_entry *start)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t ref = get(&start->refs[i]);

		if (ref && ptl_registry_index(entry, ptl_ref_stream(ref)) < 0)
			ptl_registry_add(entry, ref,
					 get(&start->strangers) >> i & 1,
					 get(&start->calls) >> i & 1);
	}
}

/* A controller made an entry for this process before it found ours. */
static void take_awaited(struct ptl_shm_entry *own, struct ptl_shm_entry *entry,
			 uint64_t key)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	uint64_t names = get(&own->names);

	/* First: a controller that adds to it after we have read it sees that
	 * its key has changed. */
	if (!ptl_registry_change(reg, entry, &key, PTL_KEY_TAKE, own->ident.pid,
				 ptl_attached.life))
		return;
	/* Names that are apart it had from an ancestor, too. */
	if (!names || ptl_apart_is(names))
		atomic_compare_exchange_strong_explicit(
			&own->names, &names, get(&entry->names),
			memory_order_relaxed, memory_order_relaxed);
	add_streams(own, entry);
	ptl_registry_free(reg, entry, key);
}

/* The others of our pid: it may be that of a process that was killed, and that
 * nobody has looked for since.  Before our birth comes that end. */
static void settle(struct ptl_shm_entry *own, uint64_t since)
{
	struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;

	/* Pairs with await() in target.c. */
	atomic_thread_fence(memory_order_seq_cst);
	while ((entry = ptl_registry_next_of(&ptl_attached.registry,
					     own->ident.pid, &at, &key)) !=
	       NULL) {
		bool is_listed = ptl_key_state(key) == PTL_KEY_LISTED, is_ours;

		if (entry == own || entry->ident.pidns != own->ident.pidns)
			continue;
		is_ours = !(is_listed &&
			    (entry->ident.born < since ||
			     entry->ident.born == PTL_BORN_UNSEEN)) &&
			  ptl_ident_is_me(&entry->ident);
		if (is_listed && !is_ours) {
			ptl_mourn_namesake(entry, key);
			own->called = 0;
		} else if (!is_listed && is_ours) {
			take_awaited(own, entry, key);
		}
	}
}

/* Is that what the key is when the process of that number is said to be there?
 */
static bool is_as_listed(const struct ptl_heritage *heritage, uint32_t pid,
			 uint64_t key)
{
	uint64_t listed;

	return ptl_key_after(heritage->key, PTL_KEY_LIST, pid,
			     ptl_key_life(heritage->key), &listed) &&
	       key == listed;
}

struct ptl_shm_entry *ptl_claim_expected(const struct ptl_heritage *heritage)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	struct ptl_shm_entry *entry = heritage->expected;
	uint64_t key = heritage->key;
	uint32_t pid = ptl_attached.ident.pid;

	/* Our parent may have been faster. */
	if (!entry ||
	    (!ptl_registry_change(reg, entry, &key, PTL_KEY_LIST, pid,
				  ptl_key_life(key)) &&
	     !is_as_listed(heritage, pid, get(ptl_registry_key(reg, entry)))))
		return NULL;
	entry->ident = ptl_attached.ident;
	ptl_attached_set_entry(entry);
	settle(entry, entry->ident.born);
	return entry;
}

uint32_t ptl_claim_nothing(const struct ptl_registry *reg,
			   const struct ptl_heritage *heritage)
{
	struct ptl_shm_entry *entry = heritage->expected;
	uint64_t key;
	uint32_t pid;

	if (!entry || ptl_registry_free(reg, entry, heritage->key))
		return 0;
	key = get(ptl_registry_key(reg, entry));
	pid = ptl_key_pid(key);
	return is_as_listed(heritage, pid, key) &&
			       ptl_registry_free(reg, entry, key) ?
		       pid :
		       0;
}

struct ptl_shm_entry *ptl_claim_entry(struct ptl_shm_entry *start,
				      uint64_t since)
{
	struct ptl_shm_entry *entry;

	uint64_t names = ptl_attached_names_id();

	start->ident = ptl_attached.ident;
	/* The process may have opened some before it came here. */
	if (names && (!get(&start->names) || ptl_apart_is(get(&start->names))))
		atomic_init(&start->names, names);
	entry = ptl_registry_claim(&ptl_attached.registry, ptl_attached_entry(),
				   start, ptl_attached.life, PTL_KEY_LIST);
	if (entry) {
		ptl_attached_set_entry(entry);
		settle(entry, since);
	} else {
		ptl_registry_wake(start);
		ptl_attached_go_private(start);
	}
	return ptl_attached_entry();
}
