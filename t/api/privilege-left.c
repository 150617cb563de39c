/* SPDX-License-Identifier: MIT */
/*
 * setresuid: a process that is another user for good cannot change what its
 * former user's processes have in the registry, nor their names of event types,
 * though it had both mapped; and is traced on, with all its threads.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define USER 65534
#define ALL 8

/* What of root's is mapped to be written to: the registry, and tables of names,
 * also those that are in no file; how much of each file there is. */
static struct area {
	char *at;
	size_t size;
} area[ALL];

static int find_areas(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], path[256], rights[8];
	unsigned long from, to;
	bool is_file;
	struct stat st;
	int nr = 0;

	while (maps && nr < ALL && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &from, &to,
			   rights, path) != 4 ||
		    strcmp(rights, "rw-s") || strstr(path, "/s."))
			continue;
		is_file = strstr(path, "ptrace-0/");
		if (is_file ? stat(path, &st) : strncmp(path, "/SYSV", 5))
			continue;
		area[nr].at = (char *)from;
		area[nr].size = to - from;
		if (is_file && area[nr].size > (size_t)st.st_size)
			area[nr].size = (size_t)st.st_size;
		nr++;
	}
	if (maps)
		fclose(maps);
	return nr;
}

static trace_event_id_t id;
static _Atomic int stop;

/* Records all the time, but not so much that anything has to give way. */
static void *record(void *arg)
{
	trace_event_id_t other = event_id("another event");

	for (int n = 0; !stop; n++)
		if (n < 10000)
			event_put(other, 1);
	return arg;
}

static int become(void)
{
	return setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	       setresuid(USER, USER, USER);
}

static int leaving(struct proc *self, void *arg)
{
	pthread_t thread;
	pid_t pid;
	int nr;

	(void)arg;
	event_put(id, 1);
	nr = find_areas();
	pthread_create(&thread, NULL, record, NULL);
	proc_turn(self);
	if (become())
		return 125;
	for (int i = 0; i < nr; i++)
		memset(area[i].at, 0xee, area[i].size);
	event_put(id, 2);
	pid = fork();
	if (pid == 0) {
		event_put(id, 3);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	stop = 1;
	pthread_join(thread, NULL);
	event_put(id, 4);
	return nr < 2 ? 1 : find_areas() ? 2 : 0;
}

/* A name that root's processes open now is a new one. */
static int is_good(trace_id_t trid)
{
	trace_event_id_t fresh = event_id("fresh");
	struct event ev;

	event_put(fresh, 5);
	return event_find_name(trid, "fresh", &ev) && ev.number == 5;
}

int main(void)
{
	struct posix_trace_info_np info;
	struct event ev;
	trace_id_t trid;
	struct proc p;
	int sum = 0;

	no_sanitizer();
	if (under_tsan())
		skip_all("it overwrites what a thread reads");
	if (geteuid() != 0)
		skip_all("not root: no other to become");
	plan(5);
	id = event_id("an event");
	trid = stream_run(0, attr_inherit(stream_attr(1 << 20, 0, 0)));
	proc_start(&p, leaving, NULL);
	proc_await(&p);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "nothing of root's can be written to");
	while (event_find(trid, id, &ev))
		sum = sum * 10 + ev.number;
	is_int(sum, 1234, "it is traced on, and its child");
	ok(is_good(trid), "and so are we");
	is_int(posix_trace_get_info_np(trid, &info), 0, "get_info");
	is_int(info.live_processes, 1, "of all of them we are left");
	stream_end(trid);
	return done();
}
