/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event_info.posix_pidns_np: a process of another pid namespace is
 * told from one that has its number here; and its process:fork says what fork()
 * returned.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define NOT_ALLOWED 77

/* What the processes know of themselves. */
struct known {
	pid_t parent, child;
	ino_t pidns;
};

static int make_child(struct proc *self, void *arg)
{
	struct known known = {.parent = getpid()};
	struct stat st;

	(void)arg;
	event_put(event_id("here"), 1);
	if (unshare(CLONE_NEWPID))
		_exit(NOT_ALLOWED);
	known.child = fork();
	if (known.child == 0) {
		event_put(event_id("there"), 1);
		_exit(0);
	}
	waitpid(known.child, NULL, 0);
	if (stat("/proc/self/ns/pid_for_children", &st) == 0)
		known.pidns = st.st_ino;
	proc_send(self, &known, sizeof(known));
	_exit(0);
}

/* The next event of that name and its data; false: there is none. */
static int find(trace_id_t trid, const char *wanted,
		struct posix_trace_event_info *info, int64_t data[3],
		size_t *size)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int unavailable = 0;

	while (posix_trace_trygetnext_event(trid, info, data, 3 * sizeof(*data),
					    size, &unavailable) == 0 &&
	       !unavailable)
		if (posix_trace_eventid_get_name(trid, info->posix_event_id,
						 name) == 0 &&
		    strcmp(name, wanted) == 0)
			return 1;
	return 0;
}

int main(void)
{
	trace_attr_t *attr = attr_inherit(stream_attr(0, 0, 0));
	struct posix_trace_event_info info;
	trace_id_t trid = stream_make(0, attr);
	struct known known;
	int64_t data[3];
	size_t size;
	struct proc p;

	stream_start(trid);
	proc_start(&p, make_child, NULL);
	if (!proc_receive(&p, &known, sizeof(known)))
		skip_all("may not make a pid namespace");
	plan(8);
	proc_wait(&p);
	ok(find(trid, "here", &info, data, &size), "the parent records");
	ok(info.posix_pid == known.parent && info.posix_pidns_np == 0,
	   "it is of the controller's namespace");
	ok(find(trid, "process:fork", &info, data, &size),
	   "its child comes before the child's first event");
	is_int(info.posix_pid, known.parent, "in its name");
	ok(size == sizeof(data) && data[0] == (int64_t)known.pidns &&
		   data[1] == 1 && data[2] == known.child,
	   "where the child is, its number there, and what fork() returned");
	ok(find(trid, "there", &info, data, &size), "the child records");
	is_int(info.posix_pid, 1, "by its own number");
	is_int(info.posix_pidns_np, (long long)known.pidns,
	       "which is of another namespace");
	stream_end(trid);
	return done();
}
