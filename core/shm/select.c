/* SPDX-License-Identifier: MIT */
/* Which calls a stream records; see select.h. */
#include "core/shm/select.h"

#include "core/sys/text.h"

void ptl_select_copy(struct ptl_map *to, const struct ptl_map *from)
{
	struct ptl_shm_select *new = &to->head->select;
	const struct ptl_shm_select *old = &from->head->select;
	uint32_t what = ptl_selects(from);

	if (to->head->prefix.minor < PTL_SHM_MINOR_SELECT)
		return;
	if (what) {
		atomic_store_explicit(
			&new->ticks,
			atomic_load_explicit(&old->ticks, memory_order_relaxed),
			memory_order_relaxed);
		atomic_store_explicit(
			&new->nr_fds,
			atomic_load_explicit(&old->nr_fds,
					     memory_order_relaxed),
			memory_order_relaxed);
		for (unsigned int i = 0; i < PTL_SELECT_FD_MAX; i++)
			atomic_store_explicit(
				&new->fd[i],
				atomic_load_explicit(&old->fd[i],
						     memory_order_relaxed),
				memory_order_relaxed);
		__builtin_memcpy(new->paths, old->paths, sizeof(new->paths));
	}
	/* Pairs with ptl_selects(). */
	atomic_store_explicit(&new->what, what, memory_order_release);
}

void ptl_select_count(struct ptl_map *map, uint32_t tid, uint64_t calls)
{
	struct ptl_shm_select *select = &map->head->select;

	atomic_fetch_add_explicit(
		&select->unselected[tid % PTL_SELECT_COUNTERS].calls, calls,
		memory_order_relaxed);
}

uint64_t ptl_select_unselected(const struct ptl_map *map)
{
	uint64_t calls = 0;

	if (map->head->prefix.minor < PTL_SHM_MINOR_SELECT)
		return 0;
	for (unsigned int i = 0; i < PTL_SELECT_COUNTERS; i++)
		calls += atomic_load_explicit(
			&map->head->select.unselected[i].calls,
			memory_order_relaxed);
	return calls;
}

/* Of a head that has no counters: none. */
static _Atomic uint64_t *hot_of(const struct ptl_map *map)
{
	return map->head->prefix.minor >= PTL_SHM_MINOR_SELECT ?
		       &map->head->select.unselected[0].hot :
		       NULL;
}

void ptl_select_count_hot(struct ptl_map *map)
{
	_Atomic uint64_t *hot = hot_of(map);

	if (hot)
		atomic_fetch_add_explicit(hot, 1, memory_order_relaxed);
}

uint64_t ptl_select_hot(const struct ptl_map *map)
{
	const _Atomic uint64_t *hot = hot_of(map);

	return hot ? atomic_load_explicit(hot, memory_order_relaxed) : 0;
}

static void move(_Atomic uint64_t *to, _Atomic uint64_t *from)
{
	uint64_t nr = atomic_exchange_explicit(from, 0, memory_order_relaxed);

	if (nr)
		atomic_fetch_add_explicit(to, PTL_MIN(nr, UINT32_MAX),
					  memory_order_relaxed);
}

void ptl_select_move(struct ptl_map *map, struct ptl_map *bridge)
{
	struct ptl_shm_select *to = &map->head->select;
	struct ptl_shm_select *from = &bridge->head->select;

	if (!hot_of(map) || !hot_of(bridge))
		return;
	for (unsigned int i = 0; i < PTL_SELECT_COUNTERS; i++) {
		move(&to->unselected[i].calls, &from->unselected[i].calls);
		move(&to->unselected[i].hot, &from->unselected[i].hot);
	}
}
