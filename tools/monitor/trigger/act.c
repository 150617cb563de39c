/* SPDX-License-Identifier: MIT */
/* See act.h. */
#include "tools/monitor/trigger/act.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/format/sysevents.h"
#include "tools/lib/clock.h"
#include "tools/monitor/trigger/run.h"
#include "tools/monitor/trigger/waiting.h"

static const struct ptl_trigger *trigger_of(const struct ptl_acting *acting,
					    const struct ptl_looked *cause)
{
	return &acting->triggers->trigger[cause->trigger];
}

static const char *name_of(enum ptl_do kind)
{
	static const char *const names[] = {"start", "stop", "mark", "snapshot",
					    "exec"};

	return names[kind];
}

void ptl_trigger_words(const struct ptl_trigger *trigger, char *buf,
		       size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < trigger->nr_acts && at < size; i++) {
		const struct ptl_trigger_act *act = &trigger->act[i];

		at += (size_t)snprintf(buf + at, size - at, "%s%s%s%s",
				       i > 0 ? ", " : "", name_of(act->kind),
				       act->text != NULL ? " " : "",
				       act->text != NULL ? act->text : "");
	}
}

/* By the clock of traces: they are told times of the other. */
static uint64_t monotonic_of(uint64_t when)
{
	struct timespec real;
	uint64_t now = ptl_monotonic_ns();

	clock_gettime(CLOCK_REALTIME, &real);
	when = ptl_ns(&real) > when ? ptl_ns(&real) - when : 0;
	return now > when ? now - when : 0;
}

/* The clocks are not read at once: behind the event, not before it. */
#define BEHIND_NS 1000

/* As an event of the thread whose event it was, and of that time. */
static void record(const struct ptl_acting *acting,
		   const struct ptl_looked *cause, uint64_t nr)
{
	const struct ptl_trigger *trigger = trigger_of(acting, cause);
	uint64_t at = monotonic_of(cause->when) + BEHIND_NS;
	const struct posix_trace_event_info event = {
		.posix_event_id = PTL_EV_TRACE_TRIGGER,
		.posix_pid = cause->pid,
		.posix_tid_np = cause->tid,
		.posix_image_np = cause->image,
		.posix_timestamp = {(time_t)(at / 1000000000),
				    (long)(at % 1000000000)},
	};
	struct {
		int64_t trigger, firing;
		char text[1024];
	} data = {cause->trigger + 1, (int64_t)nr, ""};
	char acts[256];
	size_t room = sizeof(data.text);
	size_t size = 2 * sizeof(int64_t);

	ptl_trigger_words(trigger, acts, sizeof(acts));
	/* Three strings, each with its null. */
	size += (size_t)snprintf(data.text, room, "%.63s%c%.255s%c%.511s",
				 cause->event, '\0', acts, '\0',
				 trigger->when) +
		1;
	posix_trace_trid_event_as_np(acting->subject->trid, &event, &data, size,
				     NULL, 0);
}

/* Not again so soon: a program may do the same a million times in a second. */
static bool may_act(struct ptl_acting *acting, const struct ptl_looked *cause)
{
	uint64_t now = ptl_monotonic_ns();

	if (now < acting->paused_until[cause->trigger])
		return false;
	acting->paused_until[cause->trigger] = now + PTL_DO_PAUSE;
	return true;
}

static void start(struct ptl_acting *acting)
{
	struct ptl_fired *fired = acting->fired;

	if (!atomic_exchange(&fired->is_waiting, false))
		return;
	posix_trace_set_filter(acting->subject->trid, &fired->filter,
			       POSIX_TRACE_SET_EVENTSET);
}

/* If something else can start it again, that has to be recorded. */
static void stop(struct ptl_acting *acting)
{
	trace_id_t trid = acting->subject->trid;
	struct ptl_fired *fired = acting->fired;

	if (atomic_load(&fired->is_waiting))
		return;
	if (!ptl_triggers_have(acting->triggers, PTL_DO_START)) {
		posix_trace_stop(trid);
		return;
	}
	posix_trace_get_filter(trid, &fired->filter);
	atomic_store(&fired->is_waiting, true);
	ptl_waiting_begin(trid, acting->triggers, &fired->filter);
}

static void snapshot(struct ptl_acting *acting, const char *name)
{
	const char *from = acting->triggers->directory;
	char *path = ptl_run_path(name, acting->subject->log, from,
				  ++acting->nr_snapshots);
	int fd, error;

	error = path != NULL ? posix_trace_create_logfile_np(path, 0, &fd) :
			       ENOMEM;
	if (error == 0) {
		error = posix_trace_snapshot_np(acting->subject->trid, fd);
		close(fd);
	}
	if (error != 0) {
		acting->nr_snapshots--;
		acting->snapshot_error = error;
		free(path);
		return;
	}
	free(acting->snapshot);
	acting->snapshot = path;
}

static void perform(struct ptl_acting *acting, const struct ptl_looked *cause,
		    const struct ptl_trigger_act *act, bool may)
{
	const struct ptl_run_subject subject = {
		.cause = cause,
		.when = trigger_of(acting, cause)->when,
		.log = acting->subject->log,
		.snapshot = acting->snapshot,
	};

	switch (act->kind) {
	case PTL_DO_START:
		start(acting);
		break;
	case PTL_DO_STOP:
		stop(acting);
		break;
	case PTL_DO_MARK:
		ptl_requests_mark(acting->subject, act->text);
		break;
	case PTL_DO_SNAPSHOT:
		if (may)
			snapshot(acting, act->text);
		break;
	case PTL_DO_EXEC:
		if (may)
			ptl_run_command(acting->triggers, &subject, act->text);
		break;
	default:
		break;
	}
}

static bool has_pause(const struct ptl_trigger *trigger)
{
	for (size_t i = 0; i < trigger->nr_acts; i++)
		if (trigger->act[i].kind == PTL_DO_SNAPSHOT ||
		    trigger->act[i].kind == PTL_DO_EXEC)
			return true;
	return false;
}

void ptl_acting_do(struct ptl_acting *acting, const struct ptl_looked *cause,
		   uint64_t nr)
{
	const struct ptl_trigger *trigger = trigger_of(acting, cause);
	bool may = has_pause(trigger) && may_act(acting, cause);

	record(acting, cause, nr);
	for (size_t i = 0; i < trigger->nr_acts; i++)
		perform(acting, cause, &trigger->act[i], may);
}
