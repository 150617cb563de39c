/* SPDX-License-Identifier: MIT */
/*
 * A controller in a pid namespace: while it lives nobody of another namespace
 * takes its stream for a dead one's; when it was killed anybody completes its
 * log, though its parent does not reap it, and neither of them is in the
 * namespace that sees all.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_EVENTS 100

static int fd;

/* Records, says so, says whether its stream runs, and dies. */
static void control(struct proc *self)
{
	struct posix_trace_status_info status;
	trace_event_id_t id = event_id("an event");
	trace_id_t trid = stream_begin(stream_make_log(0, NULL, fd));

	for (int i = 0; i < NR_EVENTS; i++)
		event_put(id, (unsigned long)i);
	proc_turn(self);
	if (posix_trace_get_status(trid, &status) ||
	    status.posix_stream_status != POSIX_TRACE_RUNNING)
		_exit(1);
	proc_turn(self);
	raise(SIGKILL);
}

/* The first process of the controller's namespace, which does not reap it. */
static int keep(struct proc *self, void *arg)
{
	pid_t pid = fork();
	siginfo_t info;

	(void)arg;
	if (pid == 0)
		control(self);
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) ||
	    info.si_status != SIGKILL)
		return 1;
	proc_turn(self);
	return 0;
}

/* What the log says: its state, or 100 + that if it is complete and
 * lacks an event. */
static int look(struct proc *self, void *arg)
{
	int state;

	(void)self;
	(void)arg;
	/* It looks after all streams that there are. */
	stream_end(stream_make(0, NULL));
	state = log_state(fd);
	if (state == POSIX_TRACE_LOG_COMPLETE_NP &&
	    log_count(fd, "an event") != NR_EVENTS)
		state += 100;
	return state;
}

static int look_from_another(void)
{
	struct proc p;

	proc_start_first(&p, look, NULL);
	return proc_wait(&p);
}

int main(int argc, char **argv)
{
	struct proc p;

	(void)argc;
	if (geteuid() != 0)
		skip_all("not root");
	private_shm(argv);
	plan(6);
	fd = file_make();
	proc_start_first(&p, keep, NULL);
	ok(proc_await(&p), "a controller in a pid namespace");
	is_int(look_from_another(), POSIX_TRACE_LOG_ACTIVE_NP,
	       "seen from another one its log is being written");
	ok(proc_turn(&p), "and its stream runs");
	ok(proc_turn(&p), "now it was killed, and is a zombie");
	is_int(look_from_another(), POSIX_TRACE_LOG_COMPLETE_NP,
	       "seen from another one its log is complete");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "nothing else happened");
	return done();
}
