/* SPDX-License-Identifier: MIT */
/*
 * Offered is what is in the log and what is lost.  So the totals count as lost
 * what was recorded, and is in the stream, but can be written no more.
 */
#include "core/flush/totals.h"

#include "core/buffer/unlogged.h"
#include "core/shm/untraced.h"

static int overrun(bool is)
{
	return is ? POSIX_TRACE_OVERRUN : POSIX_TRACE_NO_OVERRUN;
}

static int full(bool is)
{
	return is ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL;
}

void ptl_totals_known(const struct ptl_map *map, bool over,
		      struct ptl_log_end *end)
{
	const struct ptl_shm_head *head = map->head;
	const struct ptl_shm_log *log = map->log;
	uint64_t left = over && log->has_log ? ptl_unlogged_events(map) : 0;
	bool runs = !over && ptl_map_state(map) == PTL_STATE_RUNNING;

	*end = (struct ptl_log_end){
		.events = log->events,
		.lost = head->lost,
		.stacks_cut = head->stacks_cut,
		.processes = head->processes,
		.discarded = log->discarded + left,
		.status =
			{
				runs ? POSIX_TRACE_RUNNING :
				       POSIX_TRACE_SUSPENDED,
				full(head->state & PTL_STATE_FULL),
				overrun(head->overrun),
				POSIX_TRACE_NOT_FLUSHING,
				(int)log->error,
				overrun(log->log_status & PTL_LOG_OVERRUN ||
					left),
				full(log->log_status & PTL_LOG_FULL),
			},
	};
}

void ptl_totals_last(const struct ptl_stream *stream, struct ptl_log_end *end)
{
	ptl_totals_known(stream->map, true, end);
	end->events = stream->events;
	end->discarded -= PTL_MIN(stream->half, end->discarded);
	/* One that cost nothing is told only to who has not asked yet. */
	if (stream->flush_error || end->lost + end->discarded == 0)
		end->status[PTL_LOG_END_ERROR] = stream->flush_error;
}

bool ptl_totals_cut(const struct ptl_log_head *head, struct ptl_log_end *end)
{
	bool is = head->cut_error != 0;

	*end = (struct ptl_log_end){
		.lost = head->cut_lost,
		.stacks_cut = head->cut_stacks,
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
	info->untraced = (unsigned int)untraced->count;
	ptl_untraced_lines(untraced, info->untraced_names,
			   sizeof(info->untraced_names));
	info->events = end->events;
	info->lost = end->lost + end->discarded;
	info->processes = end->processes;
	info->stacks_cut = end->stacks_cut;
	info->log_error = end->status[PTL_LOG_END_ERROR];
}
