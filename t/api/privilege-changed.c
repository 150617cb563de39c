/* SPDX-License-Identifier: MIT */
/*
 * setuid, chroot: a traced process that gives its privileges away goes on in
 * its streams, and so do the children that it forks then; its controller, if
 * it was one, goes on controlling.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <sys/wait.h>

static int fd;

static void give_away(void)
{
	if (chroot("/mnt") || chdir("/") || setgroups(0, NULL) ||
	    setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		_exit(125);
}

static int traced(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	pid_t pid;

	(void)arg;
	proc_turn(self);
	event_put(id, 1);
	give_away();
	event_put(id, 2);
	pid = fork();
	if (pid == 0) {
		event_put(id, 3);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	event_put(id, 4);
	return 0;
}

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid, logged;
	int n;

	(void)self;
	(void)arg;
	trid = stream_make(0, NULL);
	logged = stream_make_log(0, NULL, fd);
	stream_start(trid);
	stream_start(logged);
	event_put(id, 1);
	give_away();
	event_put(id, 2);
	if (posix_trace_flush(logged))
		return 1;
	event_put(id, 3);
	n = event_count(trid, id);
	return posix_trace_shutdown(trid) || posix_trace_shutdown(logged) ?
		       2 :
		       n != 3;
}

int main(void)
{
	struct event ev;
	trace_event_id_t id;
	trace_id_t trid;
	struct proc p;
	int sum = 0;

	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: nothing to give away");
	plan(4);
	proc_start(&p, traced, NULL);
	proc_await(&p);
	trid = stream_make(p.pid, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "it gives them away");
	posix_trace_trid_eventid_open(trid, "an event", &id);
	while (event_find(trid, id, &ev))
		sum = sum * 10 + (int)ev.word;
	is_int(sum, 1234, "[event.1] [fork.1] and is traced on");
	stream_end(trid);
	fd = file_make();
	proc_start(&p, controller, NULL);
	is_int(proc_wait(&p), 0, "a controller, too");
	is_int(log_count(fd, "an event"), 3, "[exit.7] its log has all");
	return done();
}
