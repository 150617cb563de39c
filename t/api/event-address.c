/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: posix_prog_address lies in the instruction of the call or
 * right behind it, in the program, in a handler, and in the log.  The function
 * is meant: the macro's call stands where the compiler wants it.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>

extern const char call_begin[], call_end[];
extern const char handler_begin[], handler_end[];

static trace_event_id_t id;

static __attribute__((noinline, noclone)) void call(void)
{
	__asm__ volatile("call_begin:" ::: "memory");
	(posix_trace_event)(id, "c", 1);
	__asm__ volatile("call_end:" ::: "memory");
}

static __attribute__((noinline, noclone)) void handler(int sig)
{
	(void)sig;
	__asm__ volatile("handler_begin:" ::: "memory");
	(posix_trace_event)(id, "h", 1);
	__asm__ volatile("handler_end:" ::: "memory");
}

static int between(const struct event *ev, const char *begin, const char *end)
{
	const char *at = ev->info.posix_prog_address;

	return at > begin && at <= end;
}

static void check(trace_id_t trid, const char *what)
{
	struct event ev;

	ok(event_find(trid, id, &ev) && between(&ev, call_begin, call_end),
	   "[event_info.4] %s: a call", what);
	ok(event_find(trid, id, &ev) &&
		   between(&ev, handler_begin, handler_end),
	   "[event_info.4] %s: in a handler", what);
	ok(pthread_equal(ev.info.posix_thread_id, pthread_self()),
	   "[event_info.7] %s: of this thread", what);
}

/* Of events of the system that are nobody's. */
static void check_nobodys(trace_id_t log)
{
	struct event ev;
	int wrong = 0;

	while (event_next(log, &ev))
		wrong += ev.info.posix_pid == 0 ? ev.info.posix_thread_id != 0 :
						  ev.info.posix_pid != getpid();
	is_int(wrong, 0,
	       "[event_info.3] [event_info.8] ours, or of no process and of "
	       "no thread");
}

int main(void)
{
	int fd = file_make();
	trace_id_t trid, logged, log;

	plan(7);
	id = event_id("an event");
	trid = stream_make(0, NULL);
	logged = stream_make_log(0, NULL, fd);
	stream_start(trid);
	stream_start(logged);
	call();
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	posix_trace_flush(logged);
	check(trid, "stream");
	stream_end(trid);
	stream_end(logged);
	log = log_open(fd);
	check(log, "log");
	posix_trace_rewind(log);
	check_nobodys(log);
	posix_trace_close(log);
	return done();
}
