/* SPDX-License-Identifier: MIT */
/*
 * What must be so of the place that a thread is about to reserve, and of one
 * that it has: for PTL_CHECK(), on the fast path and on the slow one.
 */
#ifndef PTL_CORE_RECORD_HELD_H
#define PTL_CORE_RECORD_HELD_H

#include "core/buffer/chunk_change.h"
#include "core/buffer/slot.h"

/*
 * Is the chunk of `word' the thread's to write to, and at `base'?  If a handler
 * has come to another word meanwhile, or a fork has wiped it, that does not
 * matter: the word as it was will not be changed.
 */
PTL_INLINE bool ptl_held_is_ours(const struct ptl_slot_stream *own,
				 uint64_t word, const unsigned char *base)
{
	struct ptl_map *map = own->map;
	uint32_t i = ptl_word_chunk(word);
	bool ours = false;

	if (map && i < map->nr_chunks) {
		uint64_t now = ptl_chunk_own(&map->table[i]);

		ours = ptl_own_state(now) == PTL_CHUNK_OPEN &&
		       ptl_own_gen(now) == ptl_word_gen(word) &&
		       ptl_own_tid(now) == (ptl_thread.tid | map->tid_mark) &&
		       base == ptl_map_chunk(map, i);
	}
	PTL_HANDLER_FENCE();
	return ours || own->map != map ||
	       __atomic_load_n(&own->word, __ATOMIC_RELAXED) != word;
}

/*
 * Is nothing written yet at a place that was reserved just now?  What is there
 * would be lost.  In the child of a handler that forked since, the place is in
 * a copy, made when the parent may have gone on already.
 */
PTL_INLINE bool ptl_held_is_blank(const struct ptl_slot_stream *own,
				  const unsigned char *place)
{
	const struct ptl_map *map = own->map;
	bool blank;

	if (!map || place < map->chunks ||
	    place >= ptl_map_chunk(map, map->nr_chunks))
		return true;
	blank = __atomic_load_n((const uint64_t *)(const void *)place,
				__ATOMIC_RELAXED) == 0;
	PTL_HANDLER_FENCE();
	return blank || own->map != map;
}

/* Is the chunk of a pin pinned by this thread? */
PTL_INLINE bool ptl_held_is_pinned(const struct ptl_slot *slot, uint64_t pin)
{
	unsigned int i = (pin & PTL_PIN_STREAM) - 1;
	struct ptl_map *map = i < PTL_MAX_STREAMS ? slot->stream[i].map : NULL;
	uint64_t own;

	if (!map || ptl_word_chunk(pin) >= map->nr_chunks)
		return false;
	own = ptl_chunk_own(&map->table[ptl_word_chunk(pin)]);
	return ptl_own_pinned(own) && ptl_own_gen(own) == ptl_word_gen(pin) &&
	       ptl_own_tid(own) == (ptl_thread.tid | map->tid_mark);
}

/* Is the first pin set if any is?  What is not seen is not taken away.  In the
 * child of a handler that forked there may be one of a chunk of its parent's,
 * to which nothing is done. */
PTL_INLINE bool ptl_held_pins_are_seen(const struct ptl_slot *slot)
{
	bool set = false;

	for (unsigned int p = 1; p < PTL_SLOT_PINS; p++)
		set |= ptl_held_is_pinned(slot, slot->pin[p]);
	/* After the others: a handler that pins sets it. */
	PTL_HANDLER_FENCE();
	return !set || ptl_slot_pinned(slot);
}

#endif
