/* SPDX-License-Identifier: MIT */
/*
 * fork: from a handler that interrupted a function of the controller or of the
 * reader: the child returns from that call alive, and its parent's streams and
 * log are as without the fork.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#define NR_FORKS 60

static _Atomic int is_child, forks, failed, inside;

static void handler(int sig)
{
	int status;
	pid_t pid;

	(void)sig;
	if (!inside || is_child || forks >= NR_FORKS)
		return;
	pid = fork();
	if (pid == 0) {
		proc_deadline(10);
		is_child = 1;
		return;
	}
	/* Not from another of these. */
	waitpid(pid, &status, 0);
	failed += status != 0;
	forks++;
}

/* The child leaves after the call that was interrupted. */
static int end(int result)
{
	if (is_child)
		_exit(0);
	return result;
}

static trace_id_t live, logged, log_trid;
static trace_event_id_t id;
static unsigned long put, got;
static int wrong;

static void one_round(void)
{
	struct posix_trace_status_info status;
	trace_event_set_t set;
	trace_attr_t attr;
	struct event ev;
	int none = 0;

	for (int i = 0; i < 50; i++)
		event_put(id, put++);
	inside = 1;
	end(posix_trace_flush(logged));
	end(posix_trace_get_status(live, &status));
	end(posix_trace_get_attr(live, &attr));
	end(posix_trace_get_filter(live, &set));
	end(posix_trace_set_filter(live, &set, POSIX_TRACE_SET_EVENTSET));
	end(posix_trace_stop(live));
	end(posix_trace_start(live));
	inside = 0;
	while (!none) {
		inside = 1;
		end(posix_trace_trygetnext_event(live, &ev.info, ev.data,
						 sizeof(ev.data), &ev.size,
						 &none));
		inside = 0;
		if (!none && ev.info.posix_event_id == id)
			wrong += ev.word != got++;
	}
	inside = 1;
	end(posix_trace_rewind(log_trid));
	end(posix_trace_getnext_event(log_trid, &ev.info, ev.data,
				      sizeof(ev.data), &ev.size, &none));
	inside = 0;
}

static int log_wrong(int fd)
{
	trace_id_t log = log_open(fd);
	unsigned long next = 0;
	struct event ev;
	int bad = 0;

	while (event_find(log, id, &ev))
		bad += ev.word != next++;
	posix_trace_close(log);
	return bad + (next != put);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 1000}, {0, 1000}};
	int fd = file_make(), old = file_make();

	plan(6);
	id = event_id("an event");
	stream_end(stream_make_log(0, NULL, old));
	log_trid = log_open(old);
	live = stream_make(0, stream_attr(1 << 20, 8, 0));
	logged = stream_make_log(0, stream_attr(1 << 20, 8, 0), fd);
	stream_only_user(live);
	stream_only_user(logged);
	stream_start(live);
	stream_start(logged);
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	for (int i = 0; i < 20000 && forks < NR_FORKS; i++)
		one_round();
	timer = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_PROF, &timer, NULL);
	ok(forks > 0, "%d forks", forks);
	is_int(failed, 0, "[fork.4] each child came back from the call");
	is_int(posix_trace_shutdown(live), 0, "shutdown");
	is_int(posix_trace_shutdown(logged), 0, "shutdown, with log");
	if (under_valgrind()) {
		skip(2, "valgrind: mremap() gives no second mapping");
	} else {
		ok(!wrong && got == put, "[fork.7] the stream is as it was");
		is_int(log_wrong(fd), 0, "[fork.7] the log is as it was");
	}
	posix_trace_close(log_trid);
	return done();
}
