/* SPDX-License-Identifier: MIT */
/* See sampling.h.  What comes is checked: the sampler reads files of others. */
#include "tools/monitor/sampling.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "core/format/values.h"
#include "tools/lib/clock.h"
#include "tools/monitor/process/helper.h"
#include "tools/monitor/wire/sampled.h"

/* So long the last samples may take, and those before the trace is stopped. */
#define FINISH_MS 5000
#define PAUSE_MS 1000

static void end(struct ptl_sampling *sampling)
{
	close(sampling->fd);
	sampling->fd = -1;
}

static int start_sampler(int fd, const struct ptl_sampled_target *target)
{
	char where[16], who[16], often[16], stack[16], off[32];
	const char *const words[] = {where,
				     who,
				     often,
				     stack,
				     off,
				     target->follows ? "1" : "0",
				     target->is_running ? "1" : "0",
				     target->has_kernel ? "1" : "0",
				     NULL};

	snprintf(where, sizeof(where), "%d", fd);
	snprintf(who, sizeof(who), "%d", (int)target->pid);
	snprintf(often, sizeof(often), "%u", target->is_timed ? 0 : target->hz);
	snprintf(stack, sizeof(stack), "%u", target->stack);
	snprintf(off, sizeof(off), "%" PRIu64, target->off);
	return ptl_helper_start("ptrace-sampler", words, &fd, 1);
}

static ssize_t receive(int fd, void *message, int flags)
{
	ssize_t got;

	do
		got = recv(fd, message, PTL_SAMPLED_MOST, flags);
	while (got < 0 && errno == EINTR);
	return got;
}

static int wait_for_events(const struct ptl_sampling *sampling,
			   const char **what)
{
	static _Alignas(8) unsigned char message[PTL_SAMPLED_MOST];
	const struct ptl_sampled *first = (const void *)message;

	*what = PTL_SAMPLING_START;
	if (receive(sampling->fd, message, 0) < (ssize_t)sizeof(*first))
		return ENOEXEC;
	if (first->id == PTL_SAMPLED_READY)
		return 0;
	*what = first->id == PTL_SAMPLED_NO_MEMORY ? PTL_SAMPLING_MEMORY :
						     PTL_SAMPLING_EVENTS;
	return first->error;
}

int ptl_sampling_start(struct ptl_sampling *sampling,
		       const struct ptl_sampled_target *target,
		       const char **what)
{
	int fd, error;

	*sampling = (struct ptl_sampling){
		.fd = -1,
		.target = target->pid,
		.hz = target->is_timed ? 0 : target->hz,
		.timed = target->is_timed ? target->hz : 0,
		.stack = target->stack,
		.has_kernel = target->has_kernel,
		.off = target->off,
	};
	if (sampling->hz == 0 && target->off == 0)
		return 0;
	*what = PTL_SAMPLING_START;
	error = ptl_helper_socket(&sampling->fd, &fd);
	if (error != 0)
		return error;
	error = start_sampler(fd, target);
	close(fd);
	if (error == 0)
		error = wait_for_events(sampling, what);
	if (error != 0)
		end(sampling);
	sampling->refused = error;
	return error;
}

/* Of the first process; 0 or the error number. */
static int tell(const struct ptl_sampling *sampling, trace_id_t trid,
		uint64_t time, int id, const void *data, size_t size)
{
	const struct posix_trace_event_info event = {
		.posix_event_id = (trace_event_id_t)id,
		.posix_pid = sampling->target,
		.posix_tid_np = sampling->target,
		.posix_image_np = sampling->image,
		.posix_timestamp = {(time_t)(time / 1000000000),
				    (long)(time % 1000000000)},
	};

	return posix_trace_trid_event_as_np(trid, &event, data, size, NULL, 0);
}

static int tell_samples(const struct ptl_sampling *sampling, trace_id_t trid,
			uint64_t time, const char *reason)
{
	struct {
		int64_t hz, stack, kernel;
		char text[64];
	} data = {sampling->hz, sampling->stack, sampling->has_kernel,
		  PTL_SAMPLE_CLOCK};
	size_t size = strlen(data.text) + 1;

	size += (size_t)snprintf(data.text + size, sizeof(data.text) - size,
				 "%s", reason) +
		1;
	return tell(sampling, trid, time, PTL_EV_CPU_SAMPLING, &data,
		    3 * sizeof(int64_t) + size);
}

static int tell_switches(const struct ptl_sampling *sampling, trace_id_t trid,
			 uint64_t time, const char *reason)
{
	struct {
		int64_t least;
		char text[64];
	} data = {(int64_t)sampling->off, ""};
	int size = snprintf(data.text, sizeof(data.text), "%s", reason);

	return tell(sampling, trid, time, PTL_EV_SCHED_RECORDING, &data,
		    sizeof(int64_t) + (size_t)size + 1);
}

/* That there are samples, and how many in a second, and times off the
 * processor, and of which length; or why no more. */
static void tell_sampling(struct ptl_sampling *sampling, trace_id_t trid,
			  uint64_t time, const char *reason)
{
	int error = 0;

	if (sampling->hz > 0)
		error = tell_samples(sampling, trid, time, reason);
	if (sampling->off > 0 && error == 0)
		error = tell_switches(sampling, trid, time, reason);
	sampling->is_told = error == 0;
}

/* What they see is in the kernel, too. */
static void tell_timers(const struct ptl_sampling *sampling, trace_id_t trid)
{
	const struct {
		int64_t hz, stack, kernel;
		char text[sizeof(PTL_SAMPLE_TIMER) + 1];
	} data = {sampling->timed, 0, 1, PTL_SAMPLE_TIMER};

	tell(sampling, trid, ptl_monotonic_ns(), PTL_EV_CPU_SAMPLING, &data,
	     3 * sizeof(int64_t) + sizeof(data.text));
}

void ptl_sampling_tell_begin(struct ptl_sampling *sampling, trace_id_t trid)
{
	if (sampling->timed > 0)
		tell_timers(sampling, trid);
	if (sampling->refused != 0)
		tell_sampling(sampling, trid, ptl_monotonic_ns(),
			      strerror(sampling->refused));
}

static bool is_known(uint32_t id)
{
	return id == PTL_EV_CPU_SAMPLE || id == PTL_EV_CPU_SYMBOL ||
	       id == PTL_EV_CPU_SAMPLE_LEFT || id == PTL_EV_CPU_LOST ||
	       id == PTL_EV_CPU_SAMPLING || id == PTL_EV_DL_MAP ||
	       id == PTL_EV_PROCESS_CHILD || id == PTL_EV_SCHED_OFF ||
	       id == PTL_EV_SCHED_LOST || id == PTL_EV_SCHED_SUM ||
	       id == PTL_EV_SCHED_RECORDING;
}

static bool is_whole(const struct ptl_sampled *one, size_t left)
{
	return one->size >= sizeof(*one) && one->size <= left &&
	       one->size % 8 == 0 &&
	       one->nr_frames <= POSIX_TRACE_STACK_MAX_NP &&
	       one->data_size <= PTL_SAMPLED_DATA_MOST &&
	       sizeof(*one) + one->nr_frames * sizeof(uint64_t) +
			       one->data_size <=
		       one->size;
}

static void record(struct ptl_sampling *sampling, trace_id_t trid,
		   const struct ptl_sampled *one)
{
	const uint64_t *data = one->frame + one->nr_frames;
	const struct posix_trace_event_info event = {
		.posix_event_id = one->id,
		.posix_pid = one->pid,
		.posix_tid_np = one->tid,
		.posix_pidns_np = one->pidns,
		.posix_image_np = one->image,
		.posix_prog_address = (void *)(uintptr_t)one->addr,
		.posix_timestamp = {(time_t)(one->when / 1000000000),
				    (long)(one->when % 1000000000)},
	};

	if (one->id == PTL_EV_CPU_LOST && one->data_size == sizeof(*data))
		sampling->lost += *data;
	if (one->id == PTL_EV_SCHED_LOST && one->data_size == sizeof(*data))
		sampling->switches_lost += *data;
	/* What is told of an image that it no longer has begins a new thread.
	 */
	if (one->pid == sampling->target)
		sampling->image = one->image;
	if (!sampling->is_told)
		tell_sampling(sampling, trid, one->when, "");
	posix_trace_trid_event_as_np(
		trid, &event, data, one->data_size,
		one->nr_frames > 0 ? (void *const *)(uintptr_t)one->frame :
				     NULL,
		one->nr_frames);
}

/* False: it is over. */
static bool take_message(struct ptl_sampling *sampling, trace_id_t trid,
			 const unsigned char *message, size_t size)
{
	for (size_t at = 0; size - at >= sizeof(struct ptl_sampled);) {
		const struct ptl_sampled *one = (const void *)(message + at);

		if (!is_whole(one, size - at))
			break;
		if (one->id == PTL_SAMPLED_END) {
			if (one->data_size == sizeof(sampling->processes))
				sampling->processes =
					one->frame[one->nr_frames];
			return false;
		}
		if (one->id == PTL_SAMPLED_PAUSED)
			sampling->is_paused = true;
		if (is_known(one->id))
			record(sampling, trid, one);
		at += one->size;
	}
	return true;
}

void ptl_sampling_take(struct ptl_sampling *sampling, trace_id_t trid)
{
	static _Alignas(8) unsigned char message[PTL_SAMPLED_MOST];
	ssize_t got;

	while (sampling->fd >= 0) {
		got = receive(sampling->fd, message, MSG_DONTWAIT);
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0) {
			sampling->has_died = true;
			tell_sampling(sampling, trid, ptl_monotonic_ns(),
				      "ptrace-sampler ended");
			end(sampling);
		} else if (!take_message(sampling, trid, message,
					 (size_t)got)) {
			end(sampling);
		}
	}
}

/* Until the time is up: a sampler that is stopped, or waits for a file that
 * never comes, must not keep the log from being completed. */
static void take_rest(struct ptl_sampling *sampling, trace_id_t trid,
		      unsigned int ms)
{
	const uint64_t until = ptl_monotonic_ns() + ms * UINT64_C(1000000);
	uint64_t at;

	while (sampling->fd >= 0 && !sampling->is_paused &&
	       (at = ptl_monotonic_ns()) < until) {
		struct pollfd news = {sampling->fd, POLLIN, 0};
		int left = (int)((until - at) / 1000000) + 1;

		if (poll(&news, 1, left) < 0 && errno != EINTR)
			break;
		ptl_sampling_take(sampling, trid);
	}
}

static bool say(const struct ptl_sampling *sampling, char what)
{
	return sampling->fd >= 0 &&
	       send(sampling->fd, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

void ptl_sampling_pause(struct ptl_sampling *sampling, trace_id_t trid)
{
	if (!sampling->is_paused && say(sampling, PTL_SAMPLED_PAUSE))
		take_rest(sampling, trid, PAUSE_MS);
	sampling->is_paused = true;
}

void ptl_sampling_resume(struct ptl_sampling *sampling)
{
	if (sampling->is_paused)
		say(sampling, PTL_SAMPLED_RESUME);
	sampling->is_paused = false;
}

void ptl_sampling_finish(struct ptl_sampling *sampling, trace_id_t trid)
{
	if (sampling->fd < 0)
		return;
	shutdown(sampling->fd, SHUT_WR);
	sampling->is_paused = false;
	take_rest(sampling, trid, FINISH_MS);
	if (sampling->fd < 0)
		return;
	sampling->is_silent = true;
	tell_sampling(sampling, trid, ptl_monotonic_ns(),
		      "ptrace-sampler does not answer");
	end(sampling);
}
