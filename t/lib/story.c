/* SPDX-License-Identifier: MIT */
#include "t/lib/story.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

static void tell_user(struct story *story, const struct event *ev)
{
	unsigned long number = ev->word & ((1UL << 48) - 1);
	struct story_writer *writer =
		&story->writer[(ev->word >> 48) % STORY_WRITERS];

	if (story->users++ == 0)
		story->first_user = *ev;
	if (writer->nr++ == 0) {
		writer->first = number;
	} else {
		if (writer->nr == 2)
			writer->second = number;
		writer->gaps += number > writer->last + 1;
		writer->back += number <= writer->last;
		writer->time_back +=
			time_cmp(&ev->info.posix_timestamp, &writer->time) < 0;
	}
	writer->last = number;
	writer->time = ev->info.posix_timestamp;
}

static void tell_system(struct story *story, const struct event *ev,
			int *flushing)
{
	switch (ev->info.posix_event_id) {
	case POSIX_TRACE_FLUSH_START:
		story->flushes_nest += *flushing;
		*flushing = 1;
		break;
	case POSIX_TRACE_FLUSH_STOP:
		story->flushes_nest += !*flushing;
		*flushing = 0;
		break;
	case POSIX_TRACE_OVERFLOW:
		if (story->system[POSIX_TRACE_OVERFLOW] == 0)
			story->overflow = *ev;
		break;
	case POSIX_TRACE_RESUME:
		if (story->system[POSIX_TRACE_RESUME] == 0)
			story->resume = *ev;
		break;
	default:
		break;
	}
	if (ev->info.posix_event_id < STORY_SYSTEM)
		story->system[ev->info.posix_event_id]++;
}

void story_read(trace_id_t trid, trace_event_id_t id, struct story *story)
{
	int flushing = 0, running = 0, resumed = 0;
	struct event ev;

	memset(story, 0, sizeof(*story));
	while (event_next(trid, &ev)) {
		if (story->nr++ == 0)
			story->first = ev;
		if (resumed)
			story->after_resume = ev;
		resumed = ev.info.posix_event_id == POSIX_TRACE_RESUME &&
			  story->system[POSIX_TRACE_RESUME] == 0;
		if (ev.info.posix_event_id == POSIX_TRACE_START)
			running = 1;
		if (ev.info.posix_event_id == id) {
			story->outside += !running;
			tell_user(story, &ev);
		}
		if (ev.info.posix_event_id == POSIX_TRACE_STOP)
			running = 0;
		tell_system(story, &ev, &flushing);
		story->last = ev;
	}
}

int story_log(int fd, trace_event_id_t id, struct story *story)
{
	struct posix_trace_status_info status;
	trace_id_t log;
	int err = posix_trace_open(fd, &log);

	memset(story, 0, sizeof(*story));
	if (err)
		return err;
	story_read(log, id, story);
	err = posix_trace_get_status(log, &status);
	story->status = status;
	posix_trace_close(log);
	return err;
}

long story_gaps(const struct story *story)
{
	long n = 0;

	for (int i = 0; i < STORY_WRITERS; i++)
		n += story->writer[i].gaps;
	return n;
}

long story_disorder(const struct story *story)
{
	long n = 0;

	for (int i = 0; i < STORY_WRITERS; i++)
		n += story->writer[i].back + story->writer[i].time_back;
	return n;
}

trace_attr_t *story_attr(size_t size, int policy, size_t log_size,
			 int log_policy)
{
	trace_attr_t *attr = stream_attr(size, 0, policy);

	if (log_size)
		posix_trace_attr_setlogsize(attr, log_size);
	if (log_policy)
		posix_trace_attr_setlogfullpolicy(attr, log_policy);
	return attr;
}

struct posix_trace_status_info status_of(trace_id_t trid)
{
	struct posix_trace_status_info status;

	memset(&status, 0, sizeof(status));
	posix_trace_get_status(trid, &status);
	return status;
}

struct posix_trace_status_info await_flushed(trace_id_t trid)
{
	struct posix_trace_status_info all = status_of(trid), status;

	while (all.posix_stream_flush_status == POSIX_TRACE_FLUSHING) {
		sched_yield();
		status = status_of(trid);
		if (all.posix_stream_overrun_status == POSIX_TRACE_OVERRUN)
			status.posix_stream_overrun_status =
				POSIX_TRACE_OVERRUN;
		if (all.posix_log_overrun_status == POSIX_TRACE_OVERRUN)
			status.posix_log_overrun_status = POSIX_TRACE_OVERRUN;
		if (all.posix_stream_flush_error)
			status.posix_stream_flush_error =
				all.posix_stream_flush_error;
		all = status;
	}
	return all;
}
