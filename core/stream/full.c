/* SPDX-License-Identifier: MIT */
#include "core/stream/full.h"

#include "core/buffer/counter.h"

void ptl_full_take(struct ptl_stream *stream, struct ptl_full *full)
{
	const struct ptl_map *map = stream->map;

	full->word = atomic_exchange_explicit(&map->head->stop_counter, 0,
					      memory_order_relaxed);
	full->told = full->word == PTL_STOP_TOLD;
	full->start = ptl_counter_now(map->clock);
	/* The time is not known: the thread that stopped the stream has not
	 * stored it yet, or the time is one of an earlier stop. */
	full->stop = full->told || full->word <= stream->restarted ?
			     full->start :
			     full->word;
}

void ptl_full_put_back(struct ptl_stream *stream, const struct ptl_full *full)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong_explicit(
		&stream->map->head->stop_counter, &none, full->word,
		memory_order_relaxed, memory_order_relaxed);
}
