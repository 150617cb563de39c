/* SPDX-License-Identifier: MIT */
/*
 * The order of steps in add and drop is what makes them safe against each
 * other: a bit is set after its reference, and cleared before it.
 */
#include "core/shm/registry.h"

#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>

/* How many neighbours to try. */
#define NR_NEAR 8u

/* One of `nr' from `first' on that is free, of `span', made that of pid; its
 * key then is *key. */
static struct ptl_shm_entry *take_of(struct ptl_shm_registry *shm,
				     uint32_t first, uint32_t nr, uint32_t span,
				     uint32_t pid, uint32_t life, uint64_t *key)
{
	uint32_t i = first;

	for (; nr > 0; nr--, i++) {
		if (i >= span)
			i = 0;
		*key = atomic_load_explicit(&shm->key[i], memory_order_relaxed);
		if (ptl_key_change(&shm->key[i], key, PTL_KEY_CLAIM, pid, life))
			return &shm->entry[i];
	}
	return NULL;
}

/*
 * Beside `near' if there is room: its page is there already, and to be given a
 * page costs a fork child more than all that it writes to it.  Else anywhere:
 * by then many are looking.
 */
static struct ptl_shm_entry *take_free(struct ptl_shm_registry *shm,
				       const struct ptl_shm_entry *near,
				       uint32_t pid, uint32_t life,
				       uint64_t *key)
{
	uintptr_t at = ((uintptr_t)near - (uintptr_t)shm->entry) /
		       sizeof(shm->entry[0]);
	uint32_t span = ptl_registry_span(shm);
	struct ptl_shm_entry *entry = NULL;

	if (at < span)
		entry = take_of(shm, (uint32_t)at + 1, NR_NEAR, span, pid, life,
				key);
	/* Foreign bytes: that may be 0. */
	if (!entry && span)
		entry = take_of(shm, pid * 2654435761u % span, span, span, pid,
				life, key);
	return entry;
}

uint32_t ptl_registry_at(const struct ptl_registry *reg,
			 const struct ptl_shm_entry *entry)
{
	return (uint32_t)(entry - reg->shm->entry);
}

struct ptl_shm_entry *ptl_registry_listed(const struct ptl_registry *reg,
					  uint32_t at, uint32_t pid,
					  uint64_t *key)
{
	if (!reg->shm || at >= ptl_registry_span(reg->shm))
		return NULL;
	/* Pairs with ptl_registry_change(). */
	*key = atomic_load_explicit(&reg->shm->key[at], memory_order_acquire);
	return ptl_key_pid(*key) == pid &&
			       ptl_key_state(*key) == PTL_KEY_LISTED ?
		       &reg->shm->entry[at] :
		       NULL;
}

bool ptl_registry_free(const struct ptl_registry *reg,
		       struct ptl_shm_entry *entry, uint64_t key)
{
	return ptl_registry_change(reg, entry, &key, PTL_KEY_GIVE_BACK, 0, 0);
}

static uint64_t stream_of(const struct ptl_shm_entry *entry, unsigned int i)
{
	return ptl_ref_stream(
		atomic_load_explicit(&entry->refs[i], memory_order_relaxed));
}

/* Does one of those bits stand for that stream? */
static bool is_among(const struct ptl_shm_entry *entry, uint64_t bits,
		     uint64_t stream)
{
	while (bits && stream_of(entry, __builtin_ctzll(bits)) != stream)
		bits &= bits - 1;
	return bits;
}

/* Puts reference i in force; false: another one to that stream is.  Of two it
 * is the first: what was mapped under a bit must not be taken from there. */
static bool put_in_force(struct ptl_shm_entry *entry, unsigned int i)
{
	uint64_t bit = UINT64_C(1) << i, stream = stream_of(entry, i);
	/* Pairs with itself: the reference of each bit is there. */
	uint64_t old =
		atomic_load_explicit(&entry->active, memory_order_acquire);

	do
		if (old & bit || is_among(entry, old, stream))
			return old & bit;
	/* Pairs with ptl_attached_active(): a thread that sees the bit sees
	 * what goes with it. */
	while (!atomic_compare_exchange_weak_explicit(
		&entry->active, &old, old | bit, memory_order_acq_rel,
		memory_order_acquire));
	return true;
}

struct ptl_shm_entry *ptl_registry_reserve(const struct ptl_registry *reg,
					   const struct ptl_shm_entry *near,
					   struct ptl_shm_entry *from,
					   uint32_t pid, uint32_t life,
					   uint64_t *key)
{
	struct ptl_shm_entry *entry = NULL;

	if (!reg->shm)
		return NULL;
	do
		entry = take_free(reg->shm, near, pid, life, key);
	while (!entry && ptl_registry_extend(reg));
	if (!entry)
		return NULL;
	ptl_registry_wake(from);
	memcpy(entry, from, sizeof(*entry));
	return entry;
}

struct ptl_shm_entry *ptl_registry_claim(const struct ptl_registry *reg,
					 const struct ptl_shm_entry *near,
					 struct ptl_shm_entry *from,
					 uint32_t life,
					 enum ptl_key_event event)
{
	uint32_t pid = from->ident.pid;
	struct ptl_shm_entry *entry;
	uint64_t key;

	entry = ptl_registry_reserve(reg, near, from, pid, life, &key);
	if (!entry)
		return NULL;
	if (event == PTL_KEY_AWAIT)
		atomic_fetch_add_explicit(&reg->shm->awaited, 1,
					  memory_order_relaxed);
	/* Else it is damaged. */
	return ptl_registry_change(reg, entry, &key, event, pid, life) ? entry :
									 NULL;
}

struct ptl_shm_entry *ptl_registry_next(const struct ptl_registry *reg,
					uint32_t *at, uint64_t *key)
{
	uint32_t span = reg->shm ? ptl_registry_span(reg->shm) : 0;

	while (*at < span) {
		uint32_t i = (*at)++;

		/* What is in the entry is there.  Pairs with
		 * ptl_registry_change(). */
		*key = atomic_load_explicit(&reg->shm->key[i],
					    memory_order_acquire);
		if (ptl_key_state(*key) != PTL_KEY_FREE)
			return &reg->shm->entry[i];
	}
	return NULL;
}

struct ptl_shm_entry *ptl_registry_next_of(const struct ptl_registry *reg,
					   uint32_t pid, uint32_t *at,
					   uint64_t *key)
{
	struct ptl_shm_entry *entry;

	while ((entry = ptl_registry_next(reg, at, key)) != NULL)
		if (ptl_key_pid(*key) == pid &&
		    (ptl_key_state(*key) == PTL_KEY_LISTED ||
		     ptl_key_state(*key) == PTL_KEY_AWAITED))
			return entry;
	return NULL;
}

void ptl_registry_program(struct ptl_shm_entry *entry, const char *path)
{
	ptl_strcopy(entry->program, sizeof(entry->program), path ? path : "");
}

void ptl_registry_exec(struct ptl_shm_entry *entry, bool begins)
{
	atomic_store_explicit(&entry->exec_since,
			      begins ? ptl_boottime_ask() : 0,
			      memory_order_relaxed);
}

struct ptl_shm_ident ptl_registry_ident(const struct ptl_shm_entry *entry,
					uint64_t key)
{
	struct ptl_shm_ident ident = entry->ident;

	if (ident.pid == 0)
		ident.pid = ptl_key_pid(key);
	return ident;
}

/* Who asks for its own entry has run; one of its number that has not is dead.
 */
static bool is_alive(const struct ptl_shm_entry *entry, uint64_t key,
		     const struct ptl_shm_ident *ident)
{
	struct ptl_shm_ident found = ptl_registry_ident(entry, key);

	if (ident->pid == (uint32_t)ptl_sys_getpid())
		return found.born != PTL_BORN_UNSEEN && ptl_ident_is_me(&found);
	return ptl_ident_life(&found, NULL) == PTL_LIFE_ALIVE;
}

struct ptl_shm_entry *ptl_registry_find(const struct ptl_registry *reg,
					const struct ptl_shm_ident *ident,
					uint64_t since, uint64_t *key)
{
	struct ptl_shm_entry *entry, *awaited = NULL;
	uint64_t found;
	uint32_t at = 0;

	while ((entry = ptl_registry_next_of(reg, ident->pid, &at, &found)) !=
	       NULL) {
		bool listed = ptl_key_state(found) == PTL_KEY_LISTED;

		if (entry->ident.pidns != ident->pidns ||
		    entry->ident.born < since || (awaited && !listed) ||
		    !is_alive(entry, found, ident))
			continue;
		*key = found;
		awaited = entry;
		if (listed)
			break;
	}
	return awaited;
}

static void set_bit(_Atomic uint64_t *word, unsigned int i, bool set)
{
	if (set)
		atomic_fetch_or_explicit(word, UINT64_C(1) << i,
					 memory_order_relaxed);
	else
		atomic_fetch_and_explicit(word, ~(UINT64_C(1) << i),
					  memory_order_relaxed);
}

int ptl_registry_add(struct ptl_shm_entry *entry, uint64_t ref, bool stranger,
		     bool calls)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t none = 0;

		/* Pairs with ptl_registry_drop(). */
		if (!atomic_compare_exchange_strong_explicit(
			    &entry->refs[i], &none, ref, memory_order_acq_rel,
			    memory_order_relaxed))
			continue;
		atomic_store_explicit(&entry->missed[i], 0,
				      memory_order_relaxed);
		set_bit(&entry->strangers, i, stranger);
		set_bit(&entry->calls, i, calls);
		if (put_in_force(entry, i))
			return (int)i;
		/* Pairs with the exchange above, by the next. */
		atomic_compare_exchange_strong_explicit(&entry->refs[i], &ref,
							0, memory_order_acq_rel,
							memory_order_relaxed);
		return ptl_registry_index(entry, ptl_ref_stream(ref));
	}
	return -1;
}

void ptl_registry_drop(struct ptl_shm_entry *entry, unsigned int i,
		       uint64_t stream)
{
	uint64_t bit = UINT64_C(1) << i;
	uint64_t ref =
		atomic_load_explicit(&entry->refs[i], memory_order_relaxed);

	if (ptl_ref_stream(ref) != stream)
		return;
	/* Pairs with ptl_registry_add(). */
	atomic_fetch_and_explicit(&entry->active, ~bit, memory_order_acq_rel);
	/* A controller may have put another stream here meanwhile: its bit must
	 * be set.  Pairs with ptl_registry_add(). */
	if (!atomic_compare_exchange_strong_explicit(&entry->refs[i], &ref, 0,
						     memory_order_acq_rel,
						     memory_order_relaxed) &&
	    ref != 0)
		put_in_force(entry, i);
}

void ptl_registry_miss(struct ptl_shm_entry *entry, unsigned int i)
{
	if (atomic_load_explicit(&entry->refs[i], memory_order_relaxed))
		atomic_fetch_add_explicit(&entry->missed[i], 1,
					  memory_order_relaxed);
}

void ptl_registry_wake(struct ptl_shm_entry *entry)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t stream = stream_of(entry, i);

		if (stream && !put_in_force(entry, i))
			ptl_registry_drop(entry, i, stream);
	}
}

int ptl_registry_index(const struct ptl_shm_entry *entry, uint64_t stream)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (stream_of(entry, i) == stream)
			return (int)i;
	return -1;
}
