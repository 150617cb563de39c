/* SPDX-License-Identifier: MIT */
/*
 * exit, _exit, exec: the streams of the process are shut down as if by
 * posix_trace_shutdown(): the log is complete and ends with STOP.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>

enum how { BY_EXIT, BY__EXIT, BY_EXEC, BY_FAILED_EXEC, BY_ABORT, BY_THREAD };

static const char *const names[] = { "exit", "_exit", "exec", "failed exec",
				     "abort", "the last pthread_exit" };
static const char *const clauses[] = { "[exit.1]", "[exit.2]", "[exec.4] [exec.5]",
				       "[exec.8]", "[exit.4]", "[exit.5]" };
static int fd;

static void *leave_last(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	return NULL;
}

static int controller(struct proc *self, void *arg)
{
	static pthread_t leader;
	trace_event_id_t id = event_id("an event");
	trace_id_t trid = stream_make_log(0, NULL, fd);
	pthread_t thread;

	(void)self;
	stream_start(trid);
	for (unsigned long i = 0; i < 1000; i++)
		event_put(id, i);
	switch (*(enum how *)arg) {
	case BY_EXIT:
		break;
	case BY__EXIT:
		_exit(0);
	case BY_EXEC:
		execl("/bin/true", "true", NULL);
		break;
	case BY_FAILED_EXEC:
		execl("/nonexistent", "x", NULL);
		event_put(id, 1000);
		break;
	case BY_ABORT:
		signal(SIGABRT, SIG_DFL);
		raise(SIGABRT);
		break;
	case BY_THREAD:
		leader = pthread_self();
		pthread_create(&thread, NULL, leave_last, &leader);
		pthread_detach(thread);
		pthread_exit(NULL);
	}
	return 0;
}

static void check(enum how how)
{
	struct posix_trace_info_np info;
	struct event ev = { .size = 0 };
	struct proc p;
	trace_id_t log;
	int n = 0, want = how == BY_FAILED_EXEC ? 1001 : 1000;

	if (ftruncate(fd, 0))
		return;
	proc_start(&p, controller, &how);
	is_int(proc_wait(&p), how == BY_ABORT ? 128 + SIGABRT : 0, "%s",
	       names[how]);
	log = log_open(fd);
	posix_trace_get_info_np(log, &info);
	while (event_next(log, &ev))
		n += ev.info.posix_event_id >= 256;
	is_int(info.log_state, POSIX_TRACE_LOG_COMPLETE_NP, "%s complete",
	       clauses[how]);
	is_int(n, want, "[shutdown.6] [exit.7] all events");
	is_int(ev.info.posix_event_id, POSIX_TRACE_STOP,
	       "%s STOP is the last", clauses[how]);
	posix_trace_close(log);
}

int main(void)
{
	plan(24);
	fd = file_make();
	for (enum how how = BY_EXIT; how < BY_THREAD; how++)
		check(how);
	/* It has a thread of its own, which is the last. */
	if (under_tsan())
		skip(4, "no process ends so under ThreadSanitizer");
	else
		check(BY_THREAD);
	return done();
}
