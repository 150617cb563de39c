/* SPDX-License-Identifier: MIT */
/*
 * Offered is what is in the log and what is lost.  So the totals count as lost
 * what was recorded, and is in the stream, but can be written no more.
 */
#include "core/flush/totals.h"

#include "core/buffer/unlogged.h"
#include "core/format/names.h"
#include "core/shm/select.h"
#include "core/shm/untraced.h"
#include "core/stream/bridges.h"

static int overrun(bool is)
{
	return is ? POSIX_TRACE_OVERRUN : POSIX_TRACE_NO_OVERRUN;
}

static int full(bool is)
{
	return is ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL;
}

/* Each by itself: writers do not stop for us to count. */
static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static uint32_t get32(const _Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

void ptl_totals_known(const struct ptl_map *map,
		      const struct ptl_shm_names *names, bool over,
		      struct ptl_log_end *end)
{
	const struct ptl_shm_head *head = map->head;
	const struct ptl_shm_log *log = map->log;
	uint64_t left = over && log->has_log ? ptl_unlogged_events(map) : 0;
	uint32_t status = get32(&log->log_status);
	bool runs = !over && ptl_map_state(map) == PTL_STATE_RUNNING;

	*end = (struct ptl_log_end){
		.events = get(&log->events),
		.lost = get(&head->lost),
		.stacks_cut = get(&head->stacks_cut),
		.refused = (names ? get32(&names->refused) : 0) +
			   get32(&head->refused),
		.processes = get32(&head->processes),
		.left = log->left,
		.unselected = ptl_select_unselected(map),
		.hot = ptl_select_hot(map),
		.discarded = get(&log->discarded) + left,
		.status =
			{
				runs ? POSIX_TRACE_RUNNING :
				       POSIX_TRACE_SUSPENDED,
				full(ptl_map_state(map) & PTL_STATE_FULL),
				overrun(get32(&head->overrun)),
				POSIX_TRACE_NOT_FLUSHING,
				(int)get32(&log->error),
				overrun(status & PTL_LOG_OVERRUN || left),
				full(status & PTL_LOG_FULL),
			},
	};
}

void ptl_totals_last(const struct ptl_stream *stream, struct ptl_log_end *end)
{
	int err = atomic_load_explicit(&stream->flusher.error,
				       memory_order_relaxed);

	ptl_totals_known(stream->map, stream->names, true, end);
	end->events = stream->log.events;
	if (stream->map->log->has_log)
		end->discarded += ptl_bridges_unlogged(stream);
	end->discarded -= PTL_MIN(stream->log.half, end->discarded);
	/* An error that cost nothing is only for a caller that has not seen it
	 * yet. */
	if (err || end->lost + end->discarded == 0)
		end->status[PTL_LOG_END_ERROR] = err;
}

bool ptl_totals_cut(const struct ptl_log_head *head, struct ptl_log_end *end)
{
	bool is = head->cut_error != 0;

	*end = (struct ptl_log_end){
		.lost = head->cut_lost,
		.stacks_cut = head->cut_stacks,
		.refused = head->cut_refused,
		.unselected = head->cut_unselected,
		.hot = head->cut_hot,
		.processes = head->cut_processes,
		.status =
			{
				POSIX_TRACE_SUSPENDED,
				full(false),
				overrun(head->cut_lost),
				POSIX_TRACE_NOT_FLUSHING,
				(int)head->cut_error,
				overrun(head->cut_lost),
				full(false),
			},
	};
	return is;
}

void ptl_totals_info(const struct ptl_log_end *end,
		     const struct ptl_untraced *untraced,
		     struct posix_trace_info_np *info)
{
	info->untraced = (unsigned int)get(&untraced->count);
	ptl_untraced_lines(untraced, info->untraced_names,
			   sizeof(info->untraced_names));
	info->events = end->events;
	info->lost = end->lost + end->discarded;
	info->processes = end->processes;
	info->stacks_cut = end->stacks_cut;
	info->names_refused = end->refused;
	info->unselected = end->unselected;
	info->hot_functions = end->hot;
	info->controller_died = end->left > 0;
	info->log_error = end->status[PTL_LOG_END_ERROR];
}
