/* SPDX-License-Identifier: MIT */
/*
 * exit, _exit, _Exit, quick_exit, signals: however a controller ends, its
 * streams are shut down: the logs have all, the traced process is so no longer
 * and goes on.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/target.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum how {
	BY_RETURN,
	BY__EXIT,
	BY__EXIT_C99,
	BY_QUICK_EXIT,
	BY_EXIT_GROUP,
	BY_THREADS_EXIT,
	BY_SIGKILL,
	BY_SIGSEGV,
	BY_SIGTERM,
	BY_ABORT,
	BY_FAULT,
	NR_HOWS,
};

static const struct {
	const char *name, *clause;
	int status;
} ways[] = {
	{"return", "[exit.1]", 0},
	{"_exit", "[exit.2]", 0},
	{"_Exit", "[exit.2]", 0},
	{"quick_exit", "[exit.3]", 0},
	{"SYS_exit_group", "[exit.2]", 0},
	{"exit of a thread", "[exit.1]", 0},
	{"SIGKILL", "[exit.4]", 128 + SIGKILL},
	{"SIGSEGV", "[exit.4]", 128 + SIGSEGV},
	{"SIGTERM", "[exit.4]", 128 + SIGTERM},
	{"abort", "[exit.4]", 128 + SIGABRT},
	{"a fault", "[exit.4]", 128 + SIGSEGV},
};

struct job {
	enum how how;
	pid_t target;
	int fd;
};

static int fd;

static void *exit_in_thread(void *arg)
{
	exit(0);
	return arg;
}

static void leave(enum how how)
{
	volatile size_t at = 8;
	pthread_t thread;

	switch (how) {
	case BY__EXIT:
		_exit(0);
	case BY__EXIT_C99:
		_Exit(0);
	case BY_QUICK_EXIT:
		quick_exit(0);
	case BY_EXIT_GROUP:
		syscall(SYS_exit_group, 0);
		break;
	case BY_THREADS_EXIT:
		pthread_create(&thread, NULL, exit_in_thread, NULL);
		pthread_join(thread, NULL);
		break;
	case BY_SIGKILL:
		raise(SIGKILL);
		break;
	case BY_SIGSEGV:
		raise(SIGSEGV);
		break;
	case BY_SIGTERM:
		raise(SIGTERM);
		break;
	case BY_ABORT:
		abort();
	case BY_FAULT:
		*(volatile int *)at = 1;
		break;
	default:
		break;
	}
}

static int controller(struct proc *self, void *arg)
{
	struct rlimit none = {0, 0};
	struct job *job = arg;
	trace_id_t trid, unread;

	setrlimit(RLIMIT_CORE, &none);
	/* A sanitizer has a handler. */
	signal(SIGSEGV, SIG_DFL);
	trid = stream_make_log(job->target, NULL, job->fd);
	unread = stream_make(job->target, NULL);
	stream_start(trid);
	stream_start(unread);
	proc_turn(self);
	leave(job->how);
	return 0;
}

static void check(enum how how)
{
	struct job job = {.how = how, .fd = fd};
	const char *clause = ways[how].clause;
	struct proc target, p;
	trace_id_t trid;
	trace_event_id_t id;

	if (ftruncate(fd, 0))
		return;
	target_start(&target, 100);
	job.target = target.pid;
	proc_start(&p, controller, &job);
	proc_await(&p);
	proc_turn(&target);
	proc_tell(&p);
	is_int(proc_wait(&p), ways[how].status, "%s", ways[how].name);
	trid = stream_make(target.pid, NULL);
	/* The dead one's stream is none any more. */
	proc_turn(&target);
	is_int(log_count(job.fd, "an event"), 100,
	       "%s [exit.7] the log has what there was", clause);
	is_int((long long)log_last(job.fd), POSIX_TRACE_STOP,
	       "%s and ends with STOP", clause);
	stream_start(trid);
	proc_turn(&target);
	posix_trace_trid_eventid_open(trid, "an event", &id);
	is_int(event_count(trid, id), 100, "[exit.8] another may trace it");
	stream_end(trid);
	is_int(log_count(job.fd, "an event"), 100, "[exit.8] that is all");
	is_int(proc_wait(&target), 0, "[exit.8] and it goes on");
}

int main(void)
{
	plan(NR_HOWS * 6);
	fd = file_make();
	for (enum how how = BY_RETURN; how < NR_HOWS; how++)
		check(how);
	return done();
}
