/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: tells the process, the thread, and the address of the
 * call, which lies in the calling function.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t id;

static NOINLINE void here(void)
{
	posix_trace_event(id, "h", 1);
	__asm__ volatile("");	/* no tail call */
}

static NOINLINE void there(void)
{
	posix_trace_event(id, "t", 1);
	__asm__ volatile("");
}

static void *thread(void *arg)
{
	there();
	*(pid_t *)arg = gettid();
	return NULL;
}

/* Of the two the one that begins next before the address. */
static int inside(const void *addr, void (*function)(void), void (*other)(void))
{
	size_t at = (size_t)addr, begin = (size_t)function;

	return at > begin && at < begin + 200 &&
	       !((size_t)other > begin && (size_t)other < at);
}

int main(void)
{
	void (*pointer)(trace_event_id_t, const void *, size_t) =
		posix_trace_event;
	trace_id_t trid;
	struct event ev;
	pthread_t other;
	pid_t tid = 0;

	plan(13);
	id = event_id("an event");
	trid = stream_make(0, NULL);
	stream_start(trid);
	here();
	pthread_create(&other, NULL, thread, &tid);
	pthread_join(other, NULL);
	pointer(id, "p", 1);
	ok(event_find(trid, id, &ev), "of the main thread");
	is_int(ev.info.posix_pid, getpid(), "[event_info.2] [xsh_2_11_1_info.2] its pid");
	is_int(ev.info.posix_tid_np, getpid(), "its tid");
	ok(pthread_equal(ev.info.posix_thread_id, pthread_self()),
	   "[event_info.7] [xsh_2_11_1_info.11] its pthread_t");
	ok(inside(ev.info.posix_prog_address, here, there),
	   "[event_info.4] [xsh_2_11_1_info.4] in that function");
	ok(!inside(ev.info.posix_prog_address, there, here),
	   "[xsh_2_11_1_info.4] not the other");
	ok(event_find(trid, id, &ev), "of the other thread");
	is_int(ev.info.posix_pid, getpid(), "the same pid");
	is_int(ev.info.posix_tid_np, tid, "its tid");
	ok(pthread_equal(ev.info.posix_thread_id, other),
	   "[event_info.7] [xsh_2_11_1_info.11] its pthread_t");
	ok(inside(ev.info.posix_prog_address, there, here), "[event_info.4] in that function");
	ok(event_find(trid, id, &ev), "through a pointer");
	ok((size_t)ev.info.posix_prog_address - (size_t)main < 4096,
	   "[xsh_2_11_1_info.4] in main()");
	stream_end(trid);
	return done();
}
