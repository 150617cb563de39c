/* SPDX-License-Identifier: MIT */
/*
 * Pins are changed by this thread alone, but by its handlers, too: after any
 * instruction one may come and pin, or leave by siglongjmp().  So a pin is set
 * before its chunk is closed, and taken away when its chunk is unpinned: at
 * worst it is there for nothing.
 */
#include "core/record/pins.h"

#include "core/buffer/chunk.h"
#include "core/buffer/chunk_change.h"
#include "core/format/record.h"

enum ptl_progress ptl_progress(const struct ptl_map *map, uint64_t word)
{
	uint32_t index = ptl_word_chunk(word);
	const unsigned char *base = ptl_map_chunk(map, index);
	uint64_t end = PTL_MIN(ptl_word_offset(word), map->chunk_size);
	uint64_t at = atomic_load_explicit(&map->table[index].span,
					   memory_order_relaxed) -
		      1;
	enum ptl_progress least = PTL_COMMITTED;
	struct ptl_record rec;

	for (at = at < end ? at : 0; ptl_record_next(base + at, end - at, &rec);
	     at += rec.bytes)
		if (!rec.committed)
			least = PTL_BEGUN;
	return at < end ? PTL_RESERVED : least;
}

/* The mapping of the stream of a pin; NULL: nothing is to be done for it. */
static struct ptl_map *map_of_pin(const struct ptl_slot *slot, uint64_t pin)
{
	unsigned int i = (pin & PTL_PIN_STREAM) - 1;
	struct ptl_map *map = i < PTL_MAX_STREAMS ? slot->stream[i].map : NULL;

	return map && ptl_word_chunk(pin) < map->nr_chunks ? map : NULL;
}

/* Done again, it does nothing. */
static void unpin(struct ptl_slot *slot, uint64_t pin)
{
	struct ptl_map *map = map_of_pin(slot, pin);
	const uint64_t claiming = slot->claiming;

	if (!map)
		return;
	/* Left in the middle it is a stray. */
	if (pin & PTL_PIN_RESUMES)
		slot->claiming |= UINT64_C(1) << ((pin & PTL_PIN_STREAM) - 1);
	PTL_HANDLER_FENCE();
	ptl_chunk_unpin(map, ptl_word_chunk(pin), ptl_word_gen(pin),
			ptl_thread.tid | map->tid_mark, pin & PTL_PIN_RESUMES);
	PTL_HANDLER_FENCE();
	slot->claiming = claiming;
}

/*
 * Has the recorder that a pin is for come to its end since?  Handlers do while
 * what they interrupted has not.  While its chunk is still open, it is about to
 * be closed by a handler that we interrupted, and how much of it is used is not
 * said yet.
 */
static bool is_done(const struct ptl_slot *slot, uint64_t pin)
{
	struct ptl_map *map = map_of_pin(slot, pin);
	uint32_t chunk = ptl_word_chunk(pin);
	uint64_t own, used;

	if (!map)
		return true;
	own = ptl_chunk_own(&map->table[chunk]);
	if (ptl_own_gen(own) != ptl_word_gen(pin) ||
	    ptl_own_tid(own) != (ptl_thread.tid | map->tid_mark))
		return true;
	if (!ptl_own_pinned(own))
		return ptl_own_state(own) != PTL_CHUNK_OPEN;
	used = atomic_load_explicit(&map->table[chunk].used,
				    memory_order_relaxed);
	return ptl_progress(map, ptl_word(ptl_word_gen(pin), chunk,
					  ptl_used(map, used))) ==
	       PTL_COMMITTED;
}

static uint64_t load_pin(const struct ptl_slot *slot, unsigned int p)
{
	return __atomic_load_n(&slot->pin[p], __ATOMIC_RELAXED);
}

/* Where one more goes: the first whose pin is not needed. */
static unsigned int pin_place(const struct ptl_slot *slot)
{
	unsigned int p = 0;

	while (p < PTL_SLOT_PINS && !is_done(slot, load_pin(slot, p)))
		p++;
	/* Handlers do not nest that deep: these frames were left by
	 * siglongjmp(), and we cannot see that they are gone. */
	return p < PTL_SLOT_PINS ? p : slot->nr_pins % PTL_SLOT_PINS;
}

void ptl_pins_set(struct ptl_slot *slot, unsigned int i, uint64_t word,
		  bool resumes)
{
	uint32_t number =
		__atomic_fetch_add(&slot->nr_pins, 1, __ATOMIC_RELAXED);
	uint64_t pin = (word & ~(uint64_t)UINT32_MAX) |
		       number << PTL_PIN_NUMBER_SHIFT |
		       (resumes ? PTL_PIN_RESUMES : 0) | (i + 1);
	uint64_t old;
	unsigned int p;

	do {
		p = pin_place(slot);
		old = load_pin(slot, p);
		/* The chunk first: a handler may leave us in between.  One that
		 * takes the place has another number. */
		unpin(slot, is_done(slot, old) ?
				    old :
				    old & ~(uint64_t)PTL_PIN_RESUMES);
		PTL_HANDLER_FENCE();
	} while (!ptl_word_change(&slot->pin[p], old, pin));
}

/*
 * The first at last, which is seen at the end of an event: one behind it is set
 * only while that is.  A handler may pin more meanwhile: until all are none.
 */
void ptl_pins_clear(struct ptl_slot *slot)
{
	bool some;

	do {
		some = false;
		for (unsigned int p = PTL_SLOT_PINS; p-- > 0;) {
			uint64_t pin = load_pin(slot, p);

			if (!pin)
				continue;
			some = true;
			/* Before it is taken away: see ptl_pins_set(). */
			unpin(slot, pin);
			PTL_HANDLER_FENCE();
			ptl_word_change(&slot->pin[p], pin, 0);
		}
	} while (some);
}

void ptl_pins_forget(struct ptl_slot *slot, unsigned int i)
{
	for (unsigned int p = 0; p < PTL_SLOT_PINS; p++) {
		uint64_t pin = load_pin(slot, p);

		if ((pin & PTL_PIN_STREAM) == i + 1)
			ptl_word_change(&slot->pin[p], pin, pin | PTL_PIN_DEAD);
	}
}
