/* SPDX-License-Identifier: MIT */
/*
 * Handlers that record with stacks, also on alternate stacks and in the midst
 * of recording, tell the interrupted callers too; siglongjmp() does no harm.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#define NOINLINE __attribute__((noinline, noclone))
#define SIGNALS 300
#define EVENTS 1000 /* for each, at most: there is room for all */

static trace_event_id_t outside, inside;
static volatile sig_atomic_t nr_signals, working;
static sigjmp_buf jump;
static trace_id_t trid;

static NOINLINE void handler(int sig)
{
	/* Its timer runs a little before and after the work. */
	if (sig == SIGALRM && !working)
		return;
	event_put(inside, (unsigned long)nr_signals++);
	__asm__ volatile("");
}

static void jumper(int sig)
{
	(void)sig;
	event_put(inside, 0);
	siglongjmp(jump, 1);
}

static NOINLINE void work(void)
{
	int nr = 0;

	working = 1;
	while (nr_signals < SIGNALS)
		if (nr < EVENTS * (nr_signals + 1)) {
			posix_trace_event(outside, "o", 1);
			nr++;
		}
	working = 0;
	__asm__ volatile("");
}

static NOINLINE void raiser(void)
{
	raise(SIGUSR1);
	__asm__ volatile("");
}

static int has(void *const *frames, size_t nr, void (*function)(void))
{
	const size_t all[] = { (size_t)handler, (size_t)jumper, (size_t)work,
			       (size_t)raiser, 0 };

	for (size_t i = 0; i < nr; i++)
		if (addr_in(frames[i], (size_t)function, all))
			return 1;
	return 0;
}

/* Reads all; how many events from handlers there are, and how many of them
 * have no frame in that function. */
static int count(void (*function)(void), int *without)
{
	void *frames[POSIX_TRACE_STACK_MAX_NP];
	struct event ev;
	int nr_events = 0;
	size_t nr;

	*without = 0;
	while (event_find(trid, inside, &ev)) {
		nr = 0;
		posix_trace_get_stack_np(trid, frames, POSIX_TRACE_STACK_MAX_NP,
					 &nr);
		nr_events++;
		*without += !has(frames, nr, function);
	}
	return nr_events;
}

static void handle(int sig, void (*function)(int), int flags)
{
	struct sigaction action = { .sa_handler = function,
				    .sa_flags = flags };

	sigaction(sig, &action, NULL);
}

static void storm(int flags, const char *where)
{
	struct itimerval every = { { 0, 100 }, { 0, 100 } };
	int without;

	nr_signals = 0;
	handle(SIGALRM, handler, flags);
	setitimer(ITIMER_REAL, &every, NULL);
	work();
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	ok(count(work, &without) >= SIGNALS, "%s: all recorded", where);
	is_int(without, 0, "%s: with what was interrupted", where);
}

int main(void)
{
	static unsigned char alternate[32768];
	stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	trace_attr_t *attr = stream_attr(40 << 20, 0, POSIX_TRACE_LOOP);
	int without;

	if (under_valgrind())
		skip_all("valgrind");
	plan(9);
	outside = event_id("outside");
	inside = event_id("inside");
	is_int(posix_trace_attr_setstackdepth_np(attr, 32), 0, "depth");
	trid = stream_make(0, attr);
	stream_start(trid);
	handle(SIGUSR1, handler, 0);
	raiser();
	is_int(count(raiser, &without), 1, "raised: recorded");
	is_int(without, 0, "raised: with its raiser");
	storm(SA_RESTART, "timer");
	sigaltstack(&ss, NULL);
	storm(SA_RESTART | SA_ONSTACK, "alternate stack");

	handle(SIGUSR1, jumper, 0);
	for (volatile int i = 0; i < 1000; i++)
		if (sigsetjmp(jump, 1) == 0)
			raiser();
	is_int(count(raiser, &without), 1000, "longjmp: all recorded");
	is_int(without, 0, "longjmp: with their raiser");
	stream_end(trid);
	return done();
}
