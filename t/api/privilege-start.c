/* SPDX-License-Identifier: MIT */
/*
 * process:start says the user of a program that is not its controller's: in
 * root's stream, and not in one of the user's own.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define USER 65534

static char *path;

static int run_child(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl(path, path, "child", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* The user in the only process:start; -1: it says none; -2: there is none. */
static int64_t user_of(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1], fields[64];
	struct posix_trace_event_info info;
	size_t size;
	int64_t data[512], uid = -2;
	int unavailable = 0;

	while (posix_trace_trygetnext_event(trid, &info, data, sizeof(data),
					    &size, &unavailable) == 0 &&
	       !unavailable) {
		if (posix_trace_eventid_get_name(trid, info.posix_event_id,
						 name) ||
		    strcmp(name, "process:start") ||
		    posix_trace_eventid_get_fields_np(trid, info.posix_event_id,
						      fields, sizeof(fields)))
			continue;
		uid = strncmp(fields, "ppid:i uid:i ", 13) ? -1 : data[1];
	}
	return uid;
}

/* Of the user's own child, in a stream of the user's. */
static int64_t own_user(void)
{
	trace_attr_t *attr = attr_inherit(stream_attr(0, 0, 0));
	trace_id_t trid = stream_make(getpid(), attr);
	int64_t uid;

	stream_start(trid);
	run_child();
	stream_stop(trid);
	uid = user_of(trid);
	stream_end(trid);
	return uid;
}

static int victim(char **argv)
{
	struct proc p = proc_again(argv);
	int64_t uid;

	proc_turn(&p);
	run_child();
	proc_turn(&p);
	uid = own_user();
	proc_send(&p, &uid, sizeof(uid));
	return 0;
}

static int start_victim(struct proc *self, void *arg)
{
	(void)arg;
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER))
		return 125;
	/* 1 where the tests have to load the library first. */
	setenv("PTRACE_DISABLE", "0", 1);
	proc_exec(self, path, "victim");
	return 126;
}

int main(int argc, char **argv)
{
	int64_t uid = -2;
	trace_id_t trid;
	struct proc p;

	path = argv[0];
	if (argc > 3 && strcmp(argv[1], "victim") == 0)
		return victim(argv);
	if (argc > 1 && strcmp(argv[1], "child") == 0)
		return 0;
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: nobody to change into");
	private_shm(argv);
	proc_start(&p, start_victim, NULL);
	if (!proc_await(&p))
		skip_all("the tree is closed to others");
	plan(3);
	trid = stream_make(p.pid, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	proc_turn(&p);
	is_int(user_of(trid), USER, "root sees whose it is");
	stream_end(trid);
	proc_tell(&p);
	proc_receive(&p, &uid, sizeof(uid));
	is_int(uid, USER, "and so does the user");
	is_int(proc_wait(&p), 0, "the user's process");
	return done();
}
