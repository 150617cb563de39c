/* SPDX-License-Identifier: MIT */
/*
 * A fork child that has recorded little shares its parent's sign of life: when
 * one of the two is killed the other is traced on, whoever looks meanwhile and
 * from whichever pid namespace, and each end is told once.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t id;
static trace_id_t trid;

/* The parent is killed: its child takes the turns. */
static int dies(struct proc *self, void *arg)
{
	(void)arg;
	if (fork() > 0)
		for (;;)
			pause();
	event_put(id, 1);
	proc_turn(self);
	event_put(id, 2);
	proc_turn(self);
	_exit(0);
}

/* The child is, and nobody reaps it. */
static int lives(struct proc *self, void *arg)
{
	siginfo_t info;
	pid_t pid = fork();

	(void)arg;
	if (pid == 0) {
		event_put(id, 1);
		raise(SIGKILL);
	}
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		return 1;
	proc_turn(self);
	event_put(id, 2);
	proc_turn(self);
	return 0;
}

/* Looks after all streams that there are. */
static int look(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	for (int i = 0; i < 3; i++)
		stream_end(stream_make(0, NULL));
	return 0;
}

static int look_from_elsewhere(void)
{
	struct proc p;

	proc_start_first(&p, look, NULL);
	return proc_wait(&p);
}

static int nr_live(void)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(trid, &info) ? -1 :
						      (int)info.live_processes;
}

/* Reads all: the numbers, and then how many ends. */
static int story(void)
{
	struct event ev;
	int sum = 0, ends = 0;
	char name[TRACE_EVENT_NAME_MAX] = "";

	while (event_next(trid, &ev)) {
		posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
					     name);
		if (ev.info.posix_event_id == id)
			sum = sum * 10 + ev.number;
		ends += strcmp(name, "process:exit") == 0;
	}
	return sum * 10 + ends;
}

static void one_is_killed(int (*fn)(struct proc *, void *), const char *what)
{
	struct proc p;

	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	proc_start(&p, fn, NULL);
	proc_await(&p);
	if (fn == dies) {
		kill(p.pid, SIGKILL);
		waitpid(p.pid, NULL, 0);
	}
	is_int(look_from_elsewhere(), 0, "%s: a look from elsewhere", what);
	is_int(nr_live(), 2, "the other one lives");
	ok(proc_turn(&p), "and goes on");
	is_int(nr_live(), 2, "as we can see");
	proc_tell(&p);
	while (waitpid(-1, NULL, 0) > 0)
		;
	is_int(look_from_elsewhere(), 0, "another look");
	is_int(nr_live(), 1, "we are left");
	/* The two, and those who looked, each with the first of a namespace. */
	is_int(story(), 120 + 2 + 2 * 2, "each end is told once");
	stream_end(trid);
}

int main(int argc, char **argv)
{
	(void)argc;
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: no pid namespace");
	private_shm(argv);
	plan(14);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	id = event_id("an event");
	one_is_killed(dies, "the parent is killed");
	one_is_killed(lives, "the child is killed");
	return done();
}
