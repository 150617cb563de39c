/* SPDX-License-Identifier: MIT */
/*
 * Stream segments as this process sees them.  The geometry is copied out of
 * the segment and checked once, when it is mapped: what a hostile peer writes
 * there later moves no pointer of ours.
 */
#ifndef PTL_CORE_SHM_MAP_H
#define PTL_CORE_SHM_MAP_H

#include "core/format/layout.h"

/* What is asked, or waited for, and not again so soon if it was in vain. */
enum ptl_vain {
	PTL_VAIN_CONTROLLER, /* does it live? */
	PTL_VAIN_KEEP,	     /* may a thread keep a chunk? */
	PTL_VAIN_MEMORY,     /* for one more chunk */
	PTL_VAIN_NR
};

struct ptl_map {
	struct ptl_shm_head *head;
	unsigned char *chunks;
	uint64_t chunk_size;
	uint64_t max_data;
	uint32_t stack_depth;
	uint32_t nr_chunks; /* that there can be */
	uint32_t nr_first;  /* that there are from the beginning */
	uint32_t clock;
	uint32_t max_kept;   /* of these, threads may keep, and */
	uint32_t min_shared; /* must leave */
	struct ptl_shm_chunk *table;
	struct ptl_shm_log *log;
	uint64_t id;
	uint64_t size;
	_Atomic uint32_t used; /* this entry of the pool is taken */
	uint32_t uid;	       /* of its run directory, or of the bridge */
	uint32_t creator_uid;
	uint32_t creator_pidns;
	uint32_t tid_mark;    /* PTL_TID_FOREIGN if its creator is */
	uint32_t bridge;      /* 1 + id of its shared memory; 0: it is a file */
	bool is_copy;	      /* by ptl_map_copy() */
	_Atomic bool is_told; /* of our program: core/record/program.h */
	_Atomic uint64_t vain[PTL_VAIN_NR]; /* CLOCK_MONOTONIC ns */
};

/* How many chunks there are now: growth.h. */
PTL_INLINE uint32_t ptl_map_present(const struct ptl_map *map)
{
	/* Pairs with say_present() in growth.c. */
	uint32_t nr =
		atomic_load_explicit(&map->head->present, memory_order_acquire);

	return PTL_MIN(nr, map->nr_chunks);
}

/* The bytes of chunk i. */
PTL_INLINE unsigned char *ptl_map_chunk(const struct ptl_map *map, uint32_t i)
{
	return map->chunks + (uint64_t)i * map->chunk_size;
}

/*
 * The state of a stream, whether it filters anything and whether a reader waits
 * for an event: in one load instead of three.
 */
PTL_INLINE uint64_t ptl_head_gate(const struct ptl_shm_head *head)
{
	typedef uint64_t __attribute__((may_alias)) word;

	return PTL_LOAD_PLAINLY((const word *)(const void *)&head->state);
}

/* The gate of a stream in that state if it filters nothing and no reader waits.
 */
PTL_INLINE uint64_t ptl_gate_of(uint16_t state)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
		       (uint64_t)state :
		       (uint64_t)state << 48;
}

#define PTL_GATE_NONE UINT64_MAX /* of no stream */

PTL_INLINE uint16_t ptl_gate_state(uint64_t gate)
{
	return (uint16_t)(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
				  gate :
				  gate >> 48);
}

/* PTL_STATE_* of a stream, and the count of its starts. */
PTL_INLINE uint16_t ptl_head_state(const struct ptl_shm_head *head)
{
	typedef uint16_t __attribute__((may_alias)) half;

	return PTL_LOAD_PLAINLY((const half *)(const void *)&head->state);
}

PTL_INLINE bool ptl_state_runs(uint32_t state)
{
	return (state & PTL_STATE_BITS) == PTL_STATE_RUNNING;
}

/*
 * From one state to another; to RUNNING it is one start more.  False: it was in
 * another.
 */
PTL_INLINE bool ptl_head_change(struct ptl_shm_head *head, uint32_t from,
				uint32_t to)
{
	uint16_t old = atomic_load_explicit(&head->state, memory_order_relaxed);
	uint16_t count, state;

	do {
		if ((old & PTL_STATE_BITS) != from)
			return false;
		count = old & (uint16_t)~PTL_STATE_BITS;
		if (to == PTL_STATE_RUNNING)
			count += PTL_STATE_START;
		state = count | (uint16_t)to;
		/* Pairs with ptl_fastpath_emit(), record(), ptl_order_next().
		 */
	} while (!atomic_compare_exchange_weak_explicit(
		&head->state, &old, state, memory_order_seq_cst,
		memory_order_relaxed));
	return true;
}

/*
 * Of a copy that a fork child's frame goes on with: as if it had been started
 * again, half of all counts later.  What has not reserved yet looks anew.
 */
PTL_INLINE void ptl_head_set_apart(struct ptl_shm_head *head)
{
	atomic_fetch_xor_explicit(&head->state, 0x8000, memory_order_relaxed);
}

/* Is this event type one that is not recorded? */
PTL_INLINE bool ptl_head_filters(const struct ptl_shm_head *head, uint32_t id)
{
	uint64_t word = atomic_load_explicit(&head->filter[id / 64],
					     memory_order_relaxed);

	return word >> (id % 64) & 1;
}

PTL_INLINE bool ptl_map_filters(const struct ptl_map *map, uint32_t id)
{
	return ptl_head_filters(map->head, id);
}

#define PTL_FILTER_WORDS (PTL_ID_LIMIT / 64)

/* The filter, which changes under its stream's lock. */
/* Sets it.  Recorders look at the words only if `filters' says so. */
void ptl_map_set_filter(struct ptl_map *map, const uint64_t *word);

PTL_INLINE void ptl_map_filter(const struct ptl_map *map, uint64_t *word)
{
	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++)
		word[i] = atomic_load_explicit(&map->head->filter[i],
					       memory_order_relaxed);
}

/* How much calls record of what they read and write (--io-data). */
PTL_INLINE void ptl_map_copy_io_data(struct ptl_map *to,
				     const struct ptl_map *from)
{
	atomic_store_explicit(&to->head->io_data,
			      atomic_load_explicit(&from->head->io_data,
						   memory_order_relaxed),
			      memory_order_relaxed);
}

/* PTL_STATE_* of the stream. */
PTL_INLINE uint32_t ptl_map_state(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->head->state, memory_order_relaxed) &
	       PTL_STATE_BITS;
}

/*
 * Maps stream `id' from the open run directory.  Returns 0, ENOENT, EPERM,
 * EBADMSG (damaged), ENOMEM (pool exhausted).  Async-signal-safe.
 */
int ptl_map_attach(int dir, uint32_t uid, uint64_t id, struct ptl_map **map);

/*
 * For a program that records: of what the stream may grow to little, if address
 * space of the program is limited, or it may lock more memory than any may.
 */
int ptl_map_attach_recorder(int dir, uint32_t uid, uint64_t id,
			    struct ptl_map **map);

/* Maps a copy of the stream, likewise: see ptl_segment_copy(). */
int ptl_map_copy(int dir, uint32_t uid, uint64_t id, struct ptl_map **map);

/* Makes a new segment of these attributes, of a temporary name (PTL_SHM_NAME
 * bytes).  Returns 0, ENOSPC, EINVAL (absurd sizes), ENOMEM. */
int ptl_map_create(int dir, uint32_t uid, const struct ptl_shm_attr *attr,
		   const struct ptl_shm_ident *creator, uint64_t names,
		   char *tmp, struct ptl_map **map);

/* From now on it is found by its id, not yet named by any process.  On failure
 * the file is gone, the mapping is not. */
int ptl_map_publish(int dir, const char *tmp, const struct ptl_map *map);

/* The process is in another pid namespace from now on. */
void ptl_map_moved(struct ptl_map *map);

/* What a span says of a pid namespace, which is another's or the creator's. */
PTL_INLINE uint32_t ptl_map_pidns(const struct ptl_map *map, uint32_t pidns)
{
	return pidns == map->creator_pidns ? 0 : pidns;
}

/* How large a bridge of the stream is (bridge.c): it takes the same records,
 * in at most PTL_BRIDGE_CHUNKS chunks. */
uint64_t ptl_map_bridge_size(const struct ptl_map *map);

/* Makes one of so many zeroes, as large.  Seed: no other bridge of this stream
 * has it. */
void ptl_map_bridge_fill(const struct ptl_map *map, void *base, uint32_t seed);

/* A stream's mapping of memory that is mapped already, and which it keeps; if
 * it is not good, EBADMSG or ENOMEM, and it is unmapped. */
int ptl_map_enter(void *base, uint64_t size, uint32_t uid, uint64_t id,
		  struct ptl_map **map);

/*
 * Lets go of a mapping that no thread of this process can be inside of any
 * more: the caller made sure (ptl_slots_quiet()).
 */
void ptl_map_detach(struct ptl_map *map);

/*
 * In a fork child whose thread is still inside the recorder: the frame that
 * was interrupted has addresses of the mapping at hand, and shall not write
 * to its parent's stream.  Leaves a private copy there; returns the mapping at
 * its new place, or NULL if there is no room for both: then the copy is that of
 * a dead stream.
 */
struct ptl_map *ptl_map_part(struct ptl_map *map);

/* Of the word `used'.  Foreign bytes: the chunk ends where it ends. */
PTL_INLINE uint64_t ptl_used(const struct ptl_map *map, uint64_t word)
{
	uint64_t bytes = word & ((UINT64_C(1) << PTL_USED_BITS) - 8);

	return PTL_MIN(bytes, map->chunk_size);
}

/* How many events those are; 0: not counted. */
PTL_INLINE uint64_t ptl_used_events(uint64_t word)
{
	return word >> PTL_USED_BITS;
}

#endif
