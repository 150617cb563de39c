/* SPDX-License-Identifier: MIT */
/* posix_trace_getnext_event, _trygetnext_event, _timedgetnext_event. */
#include "core/stream/reader.h"
#include "core/stream/stream.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <string.h>
#include <trace.h>

/* Sleeps of 640 ms: so late may be seen what comes between two of them. */
#define MOST_ROUNDS 5u

/* Where a caller of the three wants the event. */
struct want {
	struct posix_trace_event_info *info;
	void *data;
	size_t size;
	size_t *data_len;
	int *unavailable;
};

/* For posix_trace_get_stack_np() and posix_trace_get_duration_np(). */
static void keep(struct ptl_stream *stream, const struct ptl_event *event)
{
	stream->lasted = event->duration + 1;
	stream->nr_stack = event->nr_stack;
	if (event->nr_stack && event->stack != stream->stack)
		memcpy(stream->stack, event->stack,
		       event->nr_stack * sizeof(*event->stack));
}

/* Mostly it is a few words: a call of memcpy() costs more than they do. */
PTL_INLINE void copy_data(void *to, const void *from, size_t size)
{
	if (PTL_UNLIKELY(size > 64 || size % 8 != 0)) {
		memcpy(to, from, size);
		return;
	}
	for (size_t at = 0; at < size; at += 8)
		__builtin_memcpy((char *)to + at, (const char *)from + at, 8);
}

PTL_INLINE void deliver(const struct want *want, const struct ptl_event *event)
{
	size_t copied = PTL_MIN(event->data_size, want->size);

	*want->info = (struct posix_trace_event_info){
		.posix_event_id = event->id,
		.posix_pid = (pid_t)event->pid,
		.posix_prog_address = (void *)(uintptr_t)event->addr,
		.posix_thread_id = (pthread_t)event->thread,
		.posix_timestamp.tv_sec = (time_t)(event->ns / 1000000000),
		.posix_timestamp.tv_nsec = (long)(event->ns % 1000000000),
		.posix_truncation_status =
			copied < event->data_size ? POSIX_TRACE_TRUNCATED_READ :
			event->truncated ? POSIX_TRACE_TRUNCATED_RECORD :
					   POSIX_TRACE_NOT_TRUNCATED,
		.posix_tid_np = (pid_t)event->tid,
		.posix_image_np = event->image,
		.posix_pidns_np = event->pidns,
	};
	if (event->data != want->data && copied)
		copy_data(want->data, event->data, copied);
	*want->data_len = copied;
	*want->unavailable = 0;
}

/* One look at a live stream; false: nothing there. */
static bool try_next(struct ptl_stream *stream, const struct want *want)
{
	struct ptl_event event;
	bool found;

	ptl_lock_only(&stream->lock);
	found = ptl_reader_try(stream, &event, want->data, want->size);
	if (found) {
		deliver(want, &event);
		keep(stream, &event);
	}
	ptl_unlock_only(&stream->lock);
	return found;
}

/* At the end of a log that was incomplete, whoever asks again wants what was
 * written meanwhile. */
static const struct ptl_event *next_written(struct ptl_opened *opened)
{
	const struct ptl_log_reader_state *state =
		ptl_log_reader_state(opened->reader);
	const struct ptl_event *event = NULL;

	if (opened->at_end && !state->complete) {
		if (ptl_log_reader_grow(opened->reader))
			event = ptl_log_reader_next(opened->reader);
		if (state->complete) {
			opened->end = state->end;
			opened->has_end = true;
			opened->untraced = state->untraced;
			opened->live = 0;
		}
		opened->end.events = state->events;
	}
	opened->at_end = !event;
	return event;
}

/* The next of a log; false: it has no more. */
static bool read_log(struct ptl_stream *stream, const struct want *want)
{
	const struct ptl_event *event;

	ptl_lock_only(&stream->lock);
	event = ptl_log_reader_next(stream->opened.reader);
	if (PTL_UNLIKELY(!event))
		event = next_written(&stream->opened);
	if (event) {
		deliver(want, event);
		keep(stream, event);
	}
	ptl_unlock_only(&stream->lock);
	return event != NULL;
}

static bool valid_time(const struct timespec *time)
{
	return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/* Nobody is, where the program has no libpthread.so.0 (glibc before 2.34); and
 * where it has another libc there is nothing for pthread_cleanup_push(). */
static bool may_be_cancelled(void)
{
	return pthread_testcancel && __pthread_register_cancel;
}

/* Waits until there is an event.  Deadline NULL: for ever. */
static int wait_next(struct ptl_stream *stream, const struct want *want,
		     const struct timespec *deadline)
{
	_Atomic uint32_t *word = &stream->map->head->sleeper;
	unsigned int round = 0;
	int err = 0;

	while (!try_next(stream, want)) {
		if (atomic_load_explicit(&stream->entry.is_dying,
					 memory_order_relaxed))
			return EINVAL;
		if (deadline && !valid_time(deadline))
			return EINVAL;
		/* The last sleep may have been cut short by what we came
		 * back for, so the answer is asked for after one more look. */
		if (err)
			return err;
		/* Our sleep is none of libc's: it looks in every round. */
		if (may_be_cancelled())
			pthread_testcancel();
		ptl_wait_announce(word);
		if (try_next(stream, want))
			return 0;
		err = ptl_wait_sleep(word, deadline, round);
		round += round < MOST_ROUNDS;
	}
	return 0;
}

/* After an interruption all is as it was before the call. */
static int no_event(const struct want *want, int err)
{
	if (want->unavailable && err != EINTR)
		*want->unavailable = 1;
	if (!err)
		*want->data_len = 0;
	return err;
}

static void put_stream(void *stream)
{
	ptl_stream_put(stream);
}

static int wait_cancelable(struct ptl_stream *stream, const struct want *want,
			   const struct timespec *deadline)
{
	int err;

	if (!may_be_cancelled()) {
		err = wait_next(stream, want, deadline);
		ptl_stream_put(stream);
		return err ? no_event(want, err) : 0;
	}
	/* Cancelled, we still give the stream back. */
	pthread_cleanup_push(put_stream, stream);
	pthread_testcancel();
	err = wait_next(stream, want, deadline);
	pthread_cleanup_pop(1);
	return err ? no_event(want, err) : 0;
}

/* After a look. */
static int end_look(struct ptl_stream *stream, const struct want *want,
		    bool found)
{
	ptl_stream_put(stream);
	return found ? 0 : no_event(want, 0);
}

static struct ptl_stream *get_stream(trace_id_t trid, unsigned int kinds,
				     const struct want *want)
{
	if (!want->info || !want->data_len || !want->unavailable ||
	    (!want->data && want->size))
		return NULL;
	return ptl_stream_get(trid, kinds);
}

PTL_EXPORT int
posix_trace_getnext_event(trace_id_t trid,
			  struct posix_trace_event_info *restrict event,
			  void *restrict data, size_t num_bytes,
			  size_t *restrict data_len, int *restrict unavailable)
{
	/* What it points at is what we fill in: */
	/* cppcheck-suppress ctuuninitvar */
	struct want want = {event, data, num_bytes, data_len, unavailable};
	struct ptl_stream *stream =
		get_stream(trid, PTL_STREAM_LIVE | PTL_STREAM_LOG, &want);

	if (!stream)
		return no_event(&want, EINVAL);
	if (stream->kind == PTL_STREAM_LIVE)
		return wait_cancelable(stream, &want, NULL);
	return end_look(stream, &want, read_log(stream, &want));
}

PTL_EXPORT int posix_trace_timedgetnext_event(
	trace_id_t trid, struct posix_trace_event_info *restrict event,
	void *restrict data, size_t num_bytes, size_t *restrict data_len,
	int *restrict unavailable, const struct timespec *restrict abstime)
{
	struct want want = {event, data, num_bytes, data_len, unavailable};
	struct ptl_stream *stream =
		abstime ? get_stream(trid, PTL_STREAM_LIVE, &want) : NULL;

	if (!stream)
		return no_event(&want, EINVAL);
	return wait_cancelable(stream, &want, abstime);
}

PTL_EXPORT int posix_trace_trygetnext_event(
	trace_id_t trid, struct posix_trace_event_info *restrict event,
	void *restrict data, size_t num_bytes, size_t *restrict data_len,
	int *restrict unavailable)
{
	struct want want = {event, data, num_bytes, data_len, unavailable};
	struct ptl_stream *stream = get_stream(trid, PTL_STREAM_LIVE, &want);

	if (!stream)
		return no_event(&want, EINVAL);
	return end_look(stream, &want, try_next(stream, &want));
}
