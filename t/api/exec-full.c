/* SPDX-License-Identifier: MIT */
/*
 * exec: where the registry has no entry left for a process, it is one process
 * before and after exec, and its birth is told once.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

static int by_fork(struct proc *p, void *arg)
{
	pid_t pid;

	(void)arg;
	proc_turn(p);
	pid = fork();
	if (pid == 0) {
		execl(self, self, "record", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

static int by_vfork(struct proc *p, void *arg)
{
	pid_t pid;

	(void)arg;
	proc_turn(p);
	pid = vfork();
	if (pid == 0) {
		execl(self, self, "record", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

struct story {
	int births, programs, events, untraced;
};

static struct story story(trace_id_t trid)
{
	struct story all = {0};
	char name[TRACE_EVENT_NAME_MAX];
	struct event ev;

	while (event_next(trid, &ev)) {
		if (posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
						 name))
			continue;
		all.births += strcmp(name, "process:fork") == 0;
		all.programs += strcmp(name, "process:start") == 0;
		all.events += strcmp(name, "an event") == 0;
		all.untraced += strcmp(name, "process:untraced") == 0;
	}
	return all;
}

static void one(int (*fn)(struct proc *, void *), const char *what)
{
	struct posix_trace_info_np info;
	struct story all;
	trace_id_t trid;
	struct proc p;

	proc_start(&p, fn, NULL);
	proc_await(&p);
	trid = stream_make(p.pid, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	shm_fill();
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "%s", what);
	shm_clear_dead();
	all = story(trid);
	is_int(all.births, 1, "one birth");
	is_int(all.events, 1, "its program is traced");
	posix_trace_get_info_np(trid, &info);
	is_int((long)info.untraced + all.untraced, 0, "and no other");
	stream_end(trid);
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) {
		event_put(event_id("an event"), 1);
		return 0;
	}
	no_sanitizer();
	private_shm(argv);
	plan(8);
	one(by_fork, "fork");
	one(by_vfork, "vfork");
	return done();
}
