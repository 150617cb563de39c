/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: may be called by handlers on an alternate stack, above or
 * below the thread's own, while the thread records.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

#define NR 40000UL
#define STACK (2048 * 1024) /* ThreadSanitizer needs half of it */

static trace_event_id_t of_thread, of_handler;
static unsigned long handled;
static _Atomic int finished;
static _Atomic unsigned long progress;

static void handler(int sig)
{
	(void)sig;
	event_put(of_handler, handled);
	handled++;
}

static void *storm(void *arg)
{
	pthread_t target = *(pthread_t *)arg;

	unsigned long last = 0;

	while (!finished) {
		pthread_kill(target, SIGUSR1);
		/* The thread gets on, too. */
		while (!finished && progress < last + 5)
			sched_yield();
		last = progress;
	}
	return NULL;
}

/* On a stack of its own, so that one of the two is the higher. */
static void *record(void *alternate)
{
	stack_t ss = { .ss_sp = alternate, .ss_size = STACK };
	pthread_t self = pthread_self(), thread;

	sigaltstack(&ss, NULL);
	finished = 0;
	progress = 0;
	pthread_create(&thread, NULL, storm, &self);
	for (unsigned long i = 0; i < NR; i++) {
		event_put(of_thread, i);
		progress = i;
	}
	finished = 1;
	pthread_join(thread, NULL);
	/* ASan takes a stack still in use at a thread's end for its own. */
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, NULL);
	return NULL;
}

static void run(char *stack, char *alternate)
{
	unsigned long next = 0, next_handled = 0;
	int order = 0;
	pthread_attr_t attr;
	pthread_t thread;
	struct event ev;
	trace_id_t trid;

	handled = 0;
	trid = stream_run(0, stream_attr(30 << 20, 8, POSIX_TRACE_UNTIL_FULL));
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, STACK);
	if (pthread_create(&thread, &attr, record, alternate) == 0)
		pthread_join(thread, NULL);
	while (event_next(trid, &ev))
		if (ev.info.posix_event_id == of_thread)
			order += ev.word != next++;
		else if (ev.info.posix_event_id == of_handler)
			order += ev.word != next_handled++;
	is_int((long long)next, (long long)NR,
	       "[event.9] all of the thread");
	is_int((long long)next_handled, (long long)handled,
	       "all of the handler");
	is_int(order, 0, "in order");
	stream_end(trid);
}

static char *stacks(void)
{
	return mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = SA_ONSTACK };
	char *mem;

	plan(6);
	of_thread = event_id("of the thread");
	of_handler = event_id("of the handler");
	sigaction(SIGUSR1, &action, NULL);
	mem = stacks();
	run(mem, mem + STACK);
	/* Others: valgrind thinks that the first are no memory any more. */
	mem = stacks();
	run(mem + STACK, mem);
	return done();
}
