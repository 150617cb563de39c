/* SPDX-License-Identifier: MIT */
/*
 * exec, posix_spawn: the new image of a traced process goes on in the same
 * streams, whatever their inheritance and whichever function it was; a program
 * that was spawned is in those that are INHERITED.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum how {
	EXECL,
	EXECLE,
	EXECV,
	EXECVE,
	EXECVP,
	FEXECVE,
	RAW_EXECVE,
	RAW_EXECVEAT,
	BY_THREAD,
	AFTER_FAILURE,
	TWICE,
	NR_EXECS,
	SPAWN = NR_EXECS,
	SPAWNP,
	VFORK_EXEC,
	FORK_EXEC,
	NR_HOWS,
};

static const char *const names[] = {
	"execl",	 "execle, no environment",
	"execv",	 "execve",
	"execvp",	 "fexecve",
	"SYS_execve",	 "SYS_execveat",
	"from a thread", "after one that failed",
	"twice",	 "posix_spawn",
	"posix_spawnp",	 "vfork",
	"fork",
};

extern char **environ;
static char *path;

static int after_exec(const char *again)
{
	char *args[] = {path, (char *)"image", (char *)"no", NULL};

	event_put(event_id("after"), 2);
	/* One type with that of the image before. */
	event_put(event_id("both"), 3);
	if (strcmp(again, "again") == 0)
		execv(path, args);
	return 0;
}

static char *no_env[] = {NULL};

static void *exec_in_thread(void *args)
{
	execv(path, args);
	return NULL;
}

static int spawn(enum how how, char **args)
{
	int status = 1;
	pid_t pid = -1;

	switch (how) {
	case SPAWN:
		if (posix_spawn(&pid, path, NULL, NULL, args, environ) != 0)
			return 1;
		break;
	case SPAWNP:
		if (posix_spawnp(&pid, path, NULL, NULL, args, environ) != 0)
			return 1;
		break;
	case VFORK_EXEC:
		pid = vfork();
		if (pid == 0) {
			execv(path, args);
			_exit(1);
		}
		break;
	default:
		pid = fork();
		if (pid == 0) {
			execv(path, args);
			_exit(1);
		}
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	return status != 0;
}

static int traced(struct proc *self, void *arg)
{
	enum how how = *(enum how *)arg;
	char *args[] = {path, (char *)"image",
			how == TWICE ? (char *)"again" : (char *)"no", NULL};
	pthread_t thread;

	proc_turn(self);
	event_put(event_id("before"), 1);
	event_put(event_id("both"), 1);
	if (how >= SPAWN)
		return spawn(how, args);
	switch (how) {
	case EXECL:
		execl(path, path, "image", "no", (char *)NULL);
		break;
	case EXECLE:
		execle(path, path, "image", "no", (char *)NULL, no_env);
		break;
	case EXECVE:
		execve(path, args, no_env);
		break;
	case EXECVP:
		execvp(path, args);
		break;
	case FEXECVE:
		fexecve(open(path, O_RDONLY | O_CLOEXEC), args, environ);
		break;
	case RAW_EXECVE:
		syscall(SYS_execve, path, args, no_env);
		break;
	case RAW_EXECVEAT:
		/* valgrind refuses a relative path here. */
		syscall(SYS_execveat, AT_FDCWD, realpath(path, NULL), args,
			no_env, 0);
		break;
	case BY_THREAD:
		pthread_create(&thread, NULL, exec_in_thread, args);
		pthread_join(thread, NULL);
		break;
	case AFTER_FAILURE:
		execl("/nonexistent", "x", (char *)NULL);
		/* fall through */
	default:
		execv(path, args);
	}
	return 1;
}

struct seen {
	int before, after, both_before, both_after, strangers, names;
};

static void look(trace_id_t trid, pid_t pid, struct seen *seen)
{
	trace_event_id_t before, after, both, listed;
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct event ev;
	int none = 0;

	*seen = (struct seen){0};
	posix_trace_trid_eventid_open(trid, "before", &before);
	posix_trace_trid_eventid_open(trid, "after", &after);
	posix_trace_trid_eventid_open(trid, "both", &both);
	while (event_next(trid, &ev)) {
		seen->before += ev.info.posix_event_id == before;
		seen->after += ev.info.posix_event_id == after;
		seen->both_before +=
			ev.info.posix_event_id == both && ev.word == 1;
		seen->both_after +=
			ev.info.posix_event_id == both && ev.word == 3;
		seen->strangers += ev.info.posix_pid != 0 &&
				   ev.info.posix_pid != getpid() &&
				   ev.info.posix_pid != pid;
	}
	while (!posix_trace_eventtypelist_getnext_id(trid, &listed, &none) &&
	       !none)
		seen->names +=
			!posix_trace_eventid_get_name(trid, listed, name) &&
			!strcmp(name, "both");
}

static void check(enum how how)
{
	int after = how == TWICE ? 2 : 1, spawns = how >= SPAWN;
	trace_attr_t *attr = stream_attr(0, 0, 0);
	trace_id_t inherited, closed;
	struct seen seen;
	struct proc p;

	proc_start(&p, traced, &how);
	proc_await(&p);
	closed = stream_make(p.pid, attr);
	inherited = stream_make(p.pid, attr_inherit(attr));
	stream_start(closed);
	stream_start(inherited);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "%s", names[how]);
	look(inherited, p.pid, &seen);
	ok(seen.before == 1 && seen.both_before == 1, "the image before");
	ok(seen.after == after && seen.both_after == after,
	   "%s the image after",
	   spawns ? "[spawn.1]" : "[exec.1] [exec.3] [exec.7]");
	is_int(seen.names, 1, "[exec.3] one name is one type");
	ok(spawns || seen.strangers == 0, "all under one pid");
	look(closed, p.pid, &seen);
	is_int(seen.after, spawns ? 0 : after, "%s with CLOSE_FOR_CHILD",
	       spawns ? "[spawn.2]" : "[exec.1]");
	/* Of vfork see fork-vfork-closed. */
	ok(how == VFORK_EXEC || seen.strangers == 0, "nobody else there");
	stream_end(closed);
	stream_end(inherited);
}

int main(int argc, char **argv)
{
	path = argv[0];
	if (argc > 2 && strcmp(argv[1], "image") == 0)
		return after_exec(argv[2]);
	no_sanitizer();
	plan(NR_HOWS * 7);
	for (enum how how = EXECL; how < NR_HOWS; how++)
		check(how);
	return done();
}
