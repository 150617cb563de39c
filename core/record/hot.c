/* SPDX-License-Identifier: MIT */
/*
 * See hot.h.  The table is the process's, and its threads add to it without
 * waiting for each other: what they write at the same time is counted once, so
 * that a function may be found later, and none is found that is not hot.
 */
#include "core/record/hot.h"

#include "core/buffer/counter.h"
#include "core/core.h"
#include "core/format/record.h"
#include "core/record/attached.h"
#include "core/shm/select.h"
#include "core/sys/clock.h"

#define PLACES 1024 /* a power of two */
#define SECOND UINT64_C(1000000000)
#define TIME_BITS 48 /* of a record's */

struct ptl_hot ptl_hot;

struct hot_place {
	uint64_t callee;
	uint32_t nr;
};

static struct hot_place places[PLACES] PTL_BULK;
static _Atomic uint64_t began;	 /* the second, CLOCK_MONOTONIC ns */
static _Atomic uint64_t counter; /* and by the clock of records */

void ptl_core_hot(uint32_t rate, bool (*off)(uint64_t callee))
{
	ptl_hot.off = off;
	ptl_hot.rate = rate;
}

/* Functions that share a place take it from each other: the one that is entered
 * more often has it in the end. */
static void count_entry(uint64_t callee)
{
	struct hot_place *place =
		&places[(callee * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
	uint32_t nr = __atomic_load_n(&place->nr, __ATOMIC_RELAXED);
	bool is_same =
		__atomic_load_n(&place->callee, __ATOMIC_RELAXED) == callee;

	if (!is_same && nr > 0) {
		nr--;
	} else {
		if (!is_same)
			__atomic_store_n(&place->callee, callee,
					 __ATOMIC_RELAXED);
		nr++;
	}
	if (nr > ptl_hot.rate) {
		/* From here on once more, if it cannot be switched off. */
		nr = 0;
		atomic_store_explicit(&ptl_hot.callee, callee,
				      memory_order_relaxed);
	}
	__atomic_store_n(&place->nr, nr, __ATOMIC_RELAXED);
}

static bool is_entry(const struct ptl_record *rec)
{
	switch (rec->id) {
	case PTL_EV_CALL_ENTER:
	case PTL_EV_CALL_ENTER_TYPED:
	case PTL_EV_CALL_ENTRY:
	case PTL_EV_CALL_ENTRY_TYPED:
		return rec->committed && rec->data_size >= sizeof(uint64_t);
	default:
		return false;
	}
}

/* Another second begins, if this one is over: what is recorded from here on is
 * counted. */
static bool begins(const struct ptl_map *map)
{
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);

	if (now - atomic_load_explicit(&began, memory_order_relaxed) < SECOND)
		return false;
	atomic_store_explicit(&began, now, memory_order_relaxed);
	atomic_store_explicit(&counter, ptl_counter_now(map->clock),
			      memory_order_relaxed);
	for (unsigned int i = 0; i < PLACES; i++)
		__atomic_store_n(&places[i].nr, 0, __ATOMIC_RELAXED);
	return true;
}

static bool is_before(uint64_t time, uint64_t since)
{
	return (time - since) >> (TIME_BITS - 1) & 1;
}

void ptl_hot_count(const struct ptl_map *map, uint64_t word)
{
	uint32_t index = ptl_word_chunk(word);
	const unsigned char *chunk = ptl_map_chunk(map, index);
	uint64_t end = ptl_word_offset(word), since, at;
	struct ptl_record rec;

	if (!ptl_word_holds(word) || end > map->chunk_size || begins(map))
		return;
	since = atomic_load_explicit(&counter, memory_order_relaxed);
	at = atomic_load_explicit(&map->table[index].span,
				  memory_order_relaxed) -
	     1;
	for (; at < end && ptl_record_parse(chunk + at, end - at, &rec);
	     at += rec.bytes)
		if (is_entry(&rec) && !is_before(rec.time, since))
			count_entry(*(const uint64_t *)rec.data);
}

void ptl_hot_told(void)
{
	uint64_t callee = atomic_exchange_explicit(&ptl_hot.callee, 0,
						   memory_order_relaxed);

	if (!callee || !ptl_hot.rate || !ptl_hot.off(callee))
		return;
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map)
			ptl_select_count_hot(map);
	}
}
