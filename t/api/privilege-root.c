/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog: root traces a user's process, and with
 * INHERITED its children, by fork and by exec; the events are all there and the
 * names what they are for the user.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <string.h>
#include <sys/wait.h>

#define USER 65534
#define NR 100

static char *path;

static void record(unsigned long who)
{
	trace_event_id_t id = event_id("the user's");

	for (unsigned long i = 0; i < NR; i++)
		event_put(id, who << 16 | i);
}

static int victim(char **argv)
{
	struct proc p = proc_again(argv);
	pid_t pid;

	proc_turn(&p);
	record(1);
	pid = fork();
	if (pid == 0) {
		record(2);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	pid = fork();
	if (pid == 0) {
		execl(path, path, "child", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	proc_turn(&p);
	return getuid() != USER;
}

static int start_victim(struct proc *self, void *arg)
{
	(void)arg;
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER))
		return 125;
	proc_exec(self, path, "victim");
	return 126;
}

static void count(trace_id_t trid, int seen[4])
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned long next[4] = {0};
	struct event ev;

	memset(seen, 0, 4 * sizeof(*seen));
	while (event_next(trid, &ev)) {
		if (posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
						 name) ||
		    strcmp(name, "the user's"))
			continue;
		if (ev.word >> 16 > 3)
			continue;
		seen[ev.word >> 16] +=
			(ev.word & 0xffff) == next[ev.word >> 16]++;
	}
}

static void check(const int seen[4], int inherited, const char *what)
{
	is_int(seen[1], NR, "[privilege.4] %s: the user's process", what);
	is_int(seen[2], inherited ? NR : 0,
	       "[privilege.5] %s: its child by fork", what);
	is_int(seen[3], inherited ? NR : 0,
	       "[privilege.5] %s: its child by fork and exec", what);
}

int main(int argc, char **argv)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	trace_id_t closed, inherited, logged, log;
	int fd, seen[4];
	struct proc p;

	path = argv[0];
	if (argc > 3 && strcmp(argv[1], "victim") == 0)
		return victim(argv);
	if (argc > 1 && strcmp(argv[1], "child") == 0) {
		record(3);
		return 0;
	}
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: nobody to change into");
	private_shm(argv);
	fd = file_make();
	proc_start(&p, start_victim, NULL);
	if (!proc_await(&p))
		skip_all("the tree is closed to others");
	plan(11);
	closed = stream_make(p.pid, attr);
	inherited = stream_make(p.pid, attr_inherit(attr));
	logged = stream_make_log(p.pid, attr, fd);
	stream_start(closed);
	stream_start(inherited);
	stream_start(logged);
	proc_turn(&p);
	count(closed, seen);
	check(seen, 0, "CLOSE_FOR_CHILD");
	count(inherited, seen);
	check(seen, 1, "INHERITED");
	stream_end(closed);
	stream_end(inherited);
	is_int(posix_trace_shutdown(logged), 0, "shutdown");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "the user is content");
	log = log_open(fd);
	count(log, seen);
	check(seen, 1, "a log");
	posix_trace_close(log);
	return done();
}
