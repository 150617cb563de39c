/* SPDX-License-Identifier: MIT */
/*
 * What a stream lost, as writers leave it to readers: how many events, and the
 * time of the first for which no OVERFLOW is recorded yet.
 */
#include "core/buffer/loss.h"

#include "core/buffer/counter.h"
#include "core/format/chunk_words.h"
#include "core/format/record.h"

#include <string.h>

/*
 * The events of a chunk that is taken over are unread, but for those that a
 * reader takes behind a hole at this moment; where nothing is consumed there is
 * no such reader.  A writer that died here before it counted the loss left its
 * marks: they count.
 */
static bool is_unread(void *word, const struct ptl_record *rec, uint64_t from)
{
	if (!rec->committed || from == 0)
		return rec->committed && rec->id < PTL_ID_LIMIT;
	/* Pairs with ptl_cursor_mark(). */
	return rec->id == PTL_ID_LOST ||
	       (rec->id < PTL_ID_LIMIT &&
		ptl_record_take(word, rec, PTL_ID_LOST));
}

uint64_t ptl_loss_unread(const struct ptl_map *map, uint32_t index,
			 uint64_t read, uint64_t *since)
{
	uint64_t from = ptl_read_offset(read);
	uint64_t used = atomic_load_explicit(&map->table[index].used,
					     memory_order_relaxed);
	uint64_t end = ptl_used(map, used);
	unsigned char *base = ptl_map_chunk(map, index);
	struct ptl_shm_span span = {0};
	uint64_t cleared =
		atomic_load_explicit(&map->head->cleared, memory_order_relaxed);
	struct ptl_record rec;
	uint64_t events = 0;

	for (uint64_t off = 0; ptl_record_next(base + off, end - off, &rec);
	     off += rec.bytes) {
		uint64_t counter;

		if (rec.committed && rec.id == PTL_ID_SPAN &&
		    rec.data_size == sizeof(span))
			memcpy(&span, rec.data, sizeof(span));
		counter = ptl_record_counter(rec.time, span.counter);
		if (off < from || counter < cleared ||
		    !is_unread(base + off, &rec, from))
			continue;
		if (events++ == 0 || counter < *since)
			*since = counter;
		/* The first is the oldest. */
		if (from == 0 && cleared == 0 && ptl_used_events(used))
			return ptl_used_events(used);
	}
	return events;
}

void ptl_loss_since(struct ptl_map *map, uint64_t since)
{
	_Atomic uint64_t *word = &map->head->lost_since;
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);

	/* Pairs with take_loss() in reader.c and ptl_overflow_take(). */
	while ((old == 0 || since < old) &&
	       !atomic_compare_exchange_weak_explicit(word, &old, since,
						      memory_order_release,
						      memory_order_relaxed))
		;
}

void ptl_loss_add(struct ptl_map *map, uint64_t events, uint64_t since)
{
	struct ptl_shm_head *head = map->head;

	atomic_fetch_add_explicit(&head->lost, events, memory_order_relaxed);
	atomic_store_explicit(&head->overrun, 1, memory_order_relaxed);
	ptl_loss_since(map, since);
}

void ptl_loss_missed(struct ptl_map *map, struct ptl_shm_entry *entry,
		     unsigned int i)
{
	_Atomic uint32_t *missed = &entry->missed[i];
	uint32_t events = 0;

	if (atomic_load_explicit(missed, memory_order_relaxed))
		events = atomic_exchange_explicit(missed, 0,
						  memory_order_relaxed);
	if (events)
		ptl_loss_add(map, events, ptl_counter_now(map->clock));
}
