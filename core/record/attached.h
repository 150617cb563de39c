/* SPDX-License-Identifier: MIT */
/*
 * This process as a traced one: its entry, and the streams that its entry
 * names, mapped when first needed.  What a bit of entry->active means is found
 * at the same index in map[].
 */
#ifndef PTL_CORE_RECORD_ATTACHED_H
#define PTL_CORE_RECORD_ATTACHED_H

#include "core/buffer/outsider.h"
#include "core/shm/map.h"
#include "core/shm/registry.h"

#include <trace.h>

struct ptl_attached {
	_Atomic(struct ptl_shm_entry *) entry; /* never NULL */
	/* 1: some stream that was mapped records not all calls (select.h): in
	 * the line of the entry, which each event loads. */
	_Atomic uint32_t selects;
	_Atomic(struct ptl_map *) map[PTL_MAX_STREAMS];
	_Atomic(struct ptl_shm_names *) names; /* NULL: not mapped yet */
	struct ptl_shm_ident ident;
	struct ptl_registry registry; /* of our user when we began, or none */
	uint32_t life;		      /* in keys of ours */
	_Atomic uint32_t clock;	      /* of the stream that was mapped last */
	_Atomic bool ready;
	_Atomic int failed; /* why it is not in the registry, or 0 */
	/* The table of names is a copy of our former user's family's, whose
	 * streams know no others. */
	_Atomic bool names_closed;
};
extern struct ptl_attached ptl_attached __attribute__((visibility("hidden")));

/* The entry before init, and where none can be had: nothing traces us. */
extern struct ptl_shm_entry ptl_no_entry __attribute__((visibility("hidden")));

PTL_INLINE struct ptl_shm_entry *ptl_attached_entry(void)
{
	return atomic_load_explicit(&ptl_attached.entry, memory_order_relaxed);
}

/* The life that our keys in that registry have: elsewhere the number is another
 * process's. */
PTL_INLINE uint32_t ptl_attached_life(const struct ptl_registry *reg)
{
	return ptl_registry_is_same(reg, &ptl_attached.registry) ?
		       ptl_attached.life :
		       PTL_LIFE_NONE;
}

/* The streams in force for this process, a bit each. */
PTL_INLINE uint64_t ptl_attached_bits(void)
{
	/* A stream's reference, and whether it is a stranger's, are there.
	 * Pairs with ptl_registry_add(). */
	return atomic_load_explicit(&ptl_attached_entry()->active,
				    memory_order_acquire);
}

/* The streams in force for the caller: none, for an outsider. */
PTL_INLINE uint64_t ptl_attached_active(void)
{
	uint64_t active = ptl_attached_bits();

	return active && !ptl_outsider() ? active : 0;
}

/* Of them, those in which our ids of user events mean nothing. */
PTL_INLINE uint64_t ptl_attached_strangers(void)
{
	return atomic_load_explicit(&ptl_attached_entry()->strangers,
				    memory_order_relaxed);
}

/* The type of an event of ours in stream bit i: those of our family, which
 * programs record and not we, have no names in another's streams. */
PTL_INLINE uint32_t ptl_attached_id(unsigned int i, uint32_t id)
{
	bool is_user =
		id >= PTL_ID_FIRST_USER || id == POSIX_TRACE_UNNAMED_USEREVENT;

	return is_user && ptl_attached_strangers() >> i & 1 ?
		       POSIX_TRACE_UNNAMED_USEREVENT :
		       id;
}

/* The streams that record calls of libc. */
PTL_INLINE uint64_t ptl_attached_calls(void)
{
	return atomic_load_explicit(&ptl_attached_entry()->calls,
				    memory_order_relaxed);
}

/* From here on that entry, which is complete, is this process's. */
void ptl_attached_set_entry(struct ptl_shm_entry *entry);

/* Is it in private memory, where nobody finds it? */
bool ptl_attached_is_unlisted(void);

/* From here on a copy of our entry in private memory is this process's, or one
 * of `start' if it is not NULL. */
void ptl_attached_go_private(const struct ptl_shm_entry *start);

/* The mapping of stream bit i, made if need be; NULL if it cannot be had. */
struct ptl_map *ptl_attached_map(unsigned int i);

/* ptl_attached_map() where the run directory is open and system calls may be
 * made. */
struct ptl_map *ptl_attached_map_from(int dir, unsigned int i);

/* The mapping of that stream; NULL: there is none. */
struct ptl_map *ptl_attached_find(uint64_t id);

/* Maps all streams in force.  Returns those that cannot be had, a bit each. */
uint64_t ptl_attached_unmapped(void);

/* Is that the mapping of bit i now? */
PTL_INLINE bool ptl_attached_has(unsigned int i, const struct ptl_map *map)
{
	return atomic_load_explicit(&ptl_attached.map[i],
				    memory_order_relaxed) == map;
}

/* May a stream of ours leave out this call?  Mostly not. */
PTL_INLINE bool ptl_attached_selects(void)
{
	return PTL_UNLIKELY(atomic_load_explicit(&ptl_attached.selects,
						 memory_order_relaxed));
}

/* Looks whether that stream records all calls. */
void ptl_attached_learn(const struct ptl_map *map);

/* Makes a mapping the one of bit i.  False: another thread's is there. */
bool ptl_attached_install(unsigned int i, struct ptl_map *map);

/* Stream bit i was found dead: it no longer traces us. */
void ptl_attached_drop(unsigned int i, struct ptl_map *map);

/* Unmaps what was dropped, if no thread can be inside of it.  Not for a handler
 * that interrupted the recording of an event. */
void ptl_attached_reap(void);

/*
 * A fork child has the byte that its parent locked as a sign of life.  When it
 * has something to lose it takes one of its own.
 */
void ptl_attached_own_life(void);

/* The process ends: others shall not find it any more. */
void ptl_attached_forget(void);

#endif
