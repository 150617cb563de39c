/* SPDX-License-Identifier: MIT */
#include "core/buffer/growth.h"

#include "core/buffer/chunk_change.h"
#include "core/sys/syscall.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static bool give_memory(const struct ptl_map *map, uint32_t i)
{
	return ptl_sys_madvise(ptl_map_chunk(map, i), map->chunk_size,
			       MADV_POPULATE_WRITE) == 0;
}

/* Chunk i is there: whoever took it, or finds that another thread did before it
 * was killed, says so. */
static void say_present(struct ptl_map *map, uint32_t i)
{
	/* Pairs with ptl_map_present(). */
	atomic_compare_exchange_strong_explicit(&map->head->present, &i, i + 1,
						memory_order_release,
						memory_order_relaxed);
}

uint32_t ptl_growth_take(struct ptl_map *map, uint32_t tid, uint32_t open)
{
	uint32_t gen = ptl_gen_next((uint32_t)map->id);
	uint64_t held = ptl_own(PTL_CHUNK_CLEANING, gen, tid);
	uint32_t i;

	while ((i = ptl_map_present(map)) < map->nr_chunks) {
		struct ptl_shm_chunk *chunk = &map->table[i];

		if (ptl_chunk_own(chunk)) {
			say_present(map, i);
			continue;
		}
		if (!give_memory(map, i))
			break;
		if (!ptl_chunk_change(chunk, 0, held))
			continue;
		say_present(map, i);
		/* As one that was drained, of which nothing was written. */
		ptl_chunk_clean(map, i, held, open);
		return i;
	}
	return UINT32_MAX;
}

static uint32_t count_free(struct ptl_map *map, uint32_t nr)
{
	uint32_t free = 0;

	for (uint32_t i = 0; i < nr; i++)
		free += ptl_own_state(ptl_chunk_own(&map->table[i])) ==
			PTL_CHUNK_FREE;
	return free;
}

void ptl_growth_lend(struct ptl_map *map, uint32_t tid)
{
	uint32_t nr = ptl_map_present(map), free = count_free(map, nr);

	for (; free < nr / 2; free++)
		if (ptl_growth_take(map, tid, PTL_CHUNK_FREE) == UINT32_MAX)
			return;
}
