/* SPDX-License-Identifier: MIT */
/*
 * exec, fork: programs that open the same names in another order, and others
 * besides, each have in the stream the names they meant.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NR 40

static char *path;

/* Each event carries the name it was meant to have. */
static void record(const char *name)
{
	posix_trace_event(event_id(name), name, strlen(name) + 1);
}

static int program(int n)
{
	char name[32];

	for (int i = 0; i < NR; i++) {
		snprintf(name, sizeof(name), "common %d",
			 n % 2 ? i : NR - 1 - i);
		record(name);
		snprintf(name, sizeof(name), "of %d: %d", n, i);
		record(name);
	}
	return 0;
}

static int traced(struct proc *self, void *arg)
{
	pid_t pids[4];
	char number[8];
	int failed = 0, status;

	(void)arg;
	proc_turn(self);
	program(0);
	for (int i = 0; i < 4; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			snprintf(number, sizeof(number), "%d", i + 1);
			if (i < 2)
				_exit(program(i + 1));
			execl(path, path, "program", number, (char *)NULL);
			_exit(1);
		}
	}
	for (int i = 0; i < 4; i++)
		failed += waitpid(pids[i], &status, 0) != pids[i] || status;
	return failed;
}

static void check(trace_id_t trid, const char *what)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int wrong = 0, n = 0;
	struct event ev;

	while (event_next(trid, &ev)) {
		if (posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
						 name)) {
			wrong++;
			continue;
		}
		if (strncmp(name, "common ", 7) && strncmp(name, "of ", 3))
			continue;
		wrong += strcmp(name, (char *)ev.data) != 0;
		n++;
	}
	is_int(wrong, 0, "[exec.3] [fork.2] %s: all names are right", what);
	is_int(n, 5 * 2 * NR, "[exec.1] [fork.1] %s: all are there", what);
}

int main(int argc, char **argv)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	trace_event_id_t early, late;
	trace_id_t trid, logged;
	struct proc p;
	int fd;

	path = argv[0];
	if (argc > 2 && strcmp(argv[1], "program") == 0)
		return program(atoi(argv[2]));
	no_sanitizer();
	plan(6);
	fd = file_make();
	proc_start(&p, traced, NULL);
	proc_await(&p);
	trid = stream_make(p.pid, attr_inherit(attr));
	logged = stream_make_log(p.pid, attr, fd);
	posix_trace_trid_eventid_open(trid, "of 3: 1", &early);
	stream_start(trid);
	stream_start(logged);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "five programs");
	posix_trace_trid_eventid_open(logged, "of 3: 1", &late);
	ok(posix_trace_eventid_equal(trid, early, late),
	   "[exec.3] one opened by the controller first");
	check(trid, "stream");
	stream_end(trid);
	stream_end(logged);
	trid = log_open(fd);
	check(trid, "log");
	posix_trace_close(trid);
	return done();
}
