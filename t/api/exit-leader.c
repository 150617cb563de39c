/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit: of the main thread alone shuts nothing down: the others go on
 * controlling, recording and reading; when the last has left all is shut down.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdlib.h>

static int fd;
static trace_id_t logged, live;
static pthread_t leader;

static void *go_on(void *arg)
{
	struct proc *self = arg;
	struct posix_trace_status_info status;
	trace_event_id_t id = event_id("an event");
	struct event ev;
	int wrong;

	pthread_join(leader, NULL);
	event_put(id, 2);
	wrong = posix_trace_get_status(logged, &status) ||
		status.posix_stream_status != POSIX_TRACE_RUNNING ||
		posix_trace_flush(logged) != 0;
	wrong |= (!event_find(live, id, &ev) || ev.word != 1) << 1;
	wrong |= (!event_find(live, id, &ev) || ev.word != 2) << 2;
	proc_send(self, &wrong, sizeof(wrong));
	proc_await(self);
	event_put(id, 3);
	return NULL;
}

static int controller(struct proc *self, void *arg)
{
	static struct proc copy; /* main()'s is on the leader's stack */
	trace_event_id_t id = event_id("an event");
	pthread_t thread;

	(void)arg;
	copy = *self;
	leader = pthread_self();
	logged = stream_make_log(0, NULL, fd);
	live = stream_make(0, NULL);
	stream_start(logged);
	stream_start(live);
	event_put(id, 1);
	pthread_create(&thread, NULL, go_on, &copy);
	pthread_detach(thread);
	pthread_exit(NULL);
}

int main(void)
{
	trace_event_id_t id;
	struct event ev = {.size = 0};
	struct proc p;
	trace_id_t log, trid;
	int wrong = -1;

	/* It stumbles over pthread_join() of the main thread. */
	if (under_tsan())
		skip_all("no process ends so under ThreadSanitizer");
	plan(8);
	fd = file_make();
	proc_start(&p, controller, NULL);
	ok(proc_receive(&p, &wrong, sizeof(wrong)), "the process goes on");
	is_int(wrong, 0, "[exit.6] and so do its streams");
	/* Nobody may take it for dead. */
	trid = stream_make(p.pid, NULL);
	stream_start(trid);
	posix_trace_trid_eventid_open(trid, "an event", &id);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "[exit.5] it ends with its last thread");
	ok(event_find(trid, id, &ev) && ev.word == 3,
	   "[exit.6] it could be traced");
	stream_end(trid);
	is_int(log_count(fd, "an event"), 3, "[exit.5] [exit.7] all events");
	log = log_open(fd);
	while (event_next(log, &ev))
		;
	is_int((long long)ev.info.posix_event_id, POSIX_TRACE_STOP,
	       "[exit.5] and STOP");
	is_int(ev.number, 0, "as if asked for");
	is_int(posix_trace_close(log), 0, "[close.4] close");
	return done();
}
