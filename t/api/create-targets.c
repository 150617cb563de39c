/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: one controller with many targets, many controllers with
 * one, many streams on one process with filters of their own: each stream has
 * exactly what it is to have.
 */
#include "t/lib/proc.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>

#define NR 500
#define NR_TARGETS 4
#define NR_CONTROLLERS 3
#define NR_STREAMS 6

static int record(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	unsigned int which = *(unsigned int *)arg;

	proc_tell(self);
	while (proc_await(self)) {
		for (unsigned long i = 0; i < NR; i++)
			story_put(id, which, i);
		proc_tell(self);
	}
	return 0;
}

static void round_of(struct proc *p)
{
	proc_turn(p);
}

/* How many events are not of this process, or not its image of the truth. */
static int strangers(trace_id_t trid, trace_event_id_t id, pid_t pid, int *nr)
{
	struct event ev;
	int n = 0;

	*nr = 0;
	while (event_find(trid, id, &ev)) {
		n += ev.info.posix_pid != pid;
		++*nr;
	}
	return n;
}

static void many_targets(trace_event_id_t id)
{
	trace_id_t trid[NR_TARGETS];
	struct proc p[NR_TARGETS];
	int wrong = 0, all = 0, nr;

	for (unsigned int i = 0; i < NR_TARGETS; i++) {
		proc_start(&p[i], record, &i);
		proc_await(&p[i]);
		trid[i] = stream_make(p[i].pid, NULL);
		stream_start(trid[i]);
	}
	for (int i = 0; i < NR_TARGETS; i++)
		round_of(&p[i]);
	for (int i = 0; i < NR_TARGETS; i++) {
		wrong += strangers(trid[i], id, p[i].pid, &nr);
		all += nr;
	}
	is_int(wrong, 0, "[create.5] each stream has its process only");
	is_int(all, NR_TARGETS * NR, "[create.5] and all of it");
	stream_end(trid[0]);
	round_of(&p[0]);
	round_of(&p[1]);
	strangers(trid[1], id, p[1].pid, &nr);
	is_int(nr, NR, "[create.23] one shut down: the others go on");
	for (int i = 0; i < NR_TARGETS; i++)
		proc_wait(&p[i]);
	is_int(posix_trace_shutdown(trid[1]), 0,
	       "[shutdown.15] the stream of a process that is gone");
	for (int i = 2; i < NR_TARGETS; i++)
		stream_end(trid[i]);
}

static int control(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	pid_t pid = *(pid_t *)arg;
	trace_id_t trid = stream_make(pid, NULL);
	int nr, wrong;

	stream_start(trid);
	proc_turn(self);
	wrong = strangers(trid, id, pid, &nr);
	stream_end(trid);
	return wrong == 0 && nr == NR ? 0 : 1;
}

static void many_controllers(void)
{
	struct proc target, p[NR_CONTROLLERS];
	unsigned int which = 0;
	int wrong = 0;

	proc_start(&target, record, &which);
	proc_await(&target);
	for (int i = 0; i < NR_CONTROLLERS; i++) {
		proc_start(&p[i], control, &target.pid);
		proc_await(&p[i]);
	}
	round_of(&target);
	for (int i = 0; i < NR_CONTROLLERS; i++) {
		proc_tell(&p[i]);
		wrong += proc_wait(&p[i]) != 0;
	}
	is_int(wrong, 0, "[create.12] each of %d controllers has all",
	       NR_CONTROLLERS);
	proc_wait(&target);
}

static void many_streams(void)
{
	trace_event_id_t id[NR_STREAMS];
	trace_id_t trid[NR_STREAMS];
	trace_attr_t *attr = stream_attr(0, 0, 0);
	char name[] = "event 0";
	int wrong = 0, same = 0;
	trace_event_set_t set;
	struct event ev;

	for (int i = 0; i < NR_STREAMS; i++) {
		name[6] = (char)('0' + i);
		id[i] = event_id(name);
	}
	/* Stream i filters all of them but i, and is of the same attr. */
	for (int i = 0; i < NR_STREAMS; i++) {
		if (posix_trace_create(0, attr, &trid[i]))
			return;
		for (int n = 0; n < i; n++)
			same += trid[n] == trid[i];
		posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS);
		posix_trace_eventset_del(id[i], &set);
		posix_trace_set_filter(trid[i], &set, POSIX_TRACE_SET_EVENTSET);
		stream_start(trid[i]);
	}
	for (unsigned long i = 0; i < NR; i++)
		for (int n = 0; n < NR_STREAMS; n++)
			event_put(id[n], i);
	stream_stop(trid[0]);
	event_put(id[0], NR);
	event_put(id[1], NR);
	for (int i = 0; i < NR_STREAMS; i++) {
		unsigned long next = 0;

		while (event_next(trid[i], &ev))
			wrong += ev.info.posix_event_id != id[i] ||
				 ev.word != next++;
		wrong += next != (i == 1 ? NR + 1 : NR);
	}
	is_int(same, 0, "[create.7] no trid twice");
	is_int(wrong, 0, "[create.22] [create.23] [set_filter.12] %d streams "
	       "with filters of their own", NR_STREAMS);
	for (int i = 0; i < NR_STREAMS; i++)
		stream_end(trid[i]);
}

int main(void)
{
	plan(8);
	many_targets(event_id("an event"));
	many_controllers();
	many_streams();
	trace_id_t trid;

	is_int(posix_trace_create(getpid(), NULL, &trid), 0,
	       "[create.1] the caller by its own pid");
	return done();
}
