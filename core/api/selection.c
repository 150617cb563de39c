/* SPDX-License-Identifier: MIT */
/* posix_trace_set_selection_np: which calls of libc to record. */
#include "core/api/ticks.h"

#include "core/shm/bridge.h"
#include "core/shm/select.h"
#include "core/sys/text.h"

#include <errno.h>
#include <trace.h>

/* Can all of it be said? */
static bool fits(const struct posix_trace_selection_np *selection)
{
	uint64_t ns;

	if (selection->nr_fds > PTL_SELECT_FD_MAX ||
	    !ptl_ticks_span(&selection->shortest, &ns) ||
	    (selection->paths &&
	     ptl_strnlen(selection->paths, PTL_SELECT_PATH_SIZE) ==
		     PTL_SELECT_PATH_SIZE))
		return false;
	for (unsigned int i = 0; i < selection->nr_fds; i++)
		if (selection->fds[i] < 0)
			return false;
	return true;
}

static uint32_t take_time(struct ptl_map *map, const struct timespec *shortest)
{
	uint64_t ns;

	if (!ptl_ticks_span(shortest, &ns) || !ns)
		return 0;
	atomic_store_explicit(&map->head->select.ticks,
			      ptl_ticks(ns, ptl_ticks_rate(map)),
			      memory_order_relaxed);
	return PTL_SELECT_SLOWER;
}

static uint32_t take_fds(struct ptl_shm_select *select, const int *fds,
			 unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		atomic_store_explicit(&select->fd[i], fds[i],
				      memory_order_relaxed);
	atomic_store_explicit(&select->nr_fds, nr, memory_order_relaxed);
	return nr ? PTL_SELECT_FDS : 0;
}

static void take(struct ptl_map *map,
		 const struct posix_trace_selection_np *selection)
{
	struct ptl_shm_select *select = &map->head->select;
	uint32_t what = selection->failed ? PTL_SELECT_FAILED : 0;

	what |= take_time(map, &selection->shortest);
	what |= take_fds(select, selection->fds, selection->nr_fds);
	if (selection->paths) {
		ptl_strcopy(select->paths, sizeof(select->paths),
			    selection->paths);
		what |= PTL_SELECT_PATHS;
	}
	/* Pairs with ptl_selects(). */
	atomic_store_explicit(&select->what, what, memory_order_release);
	ptl_bridge_mirror(map);
}

PTL_EXPORT int
posix_trace_set_selection_np(trace_id_t trid,
			     const struct posix_trace_selection_np *selection)
{
	const struct posix_trace_selection_np all = {0};
	struct ptl_stream *stream;

	if (!selection)
		selection = &all;
	if (!fits(selection))
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	take(stream->map, selection);
	ptl_stream_put(stream);
	return 0;
}
