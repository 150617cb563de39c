/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_LOOP: writers stopped or killed anywhere, while they take chunks
 * over too, do not hold up a reader, nor keep what they had: what another
 * process records is read soon, and all of it, in order, as before.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#define NR_ROUNDS 60
#define NR_CHILDREN 2
#define SIZE 20000

static trace_event_id_t id;
static _Atomic unsigned long *recorded;
static int torn, missing, late, back;

static int child(struct proc *self, void *arg)
{
	unsigned long data[9];

	(void)self;
	(void)arg;
	for (unsigned long i = 1;; i++) {
		for (int n = 0; n < 9; n++)
			data[n] = i;
		posix_trace_event(id, data, 8 + i % 9 * 8);
		++*recorded;
	}
	return 0;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Reads all there is; how many of our own there were. */
static int drain(trace_id_t trid, int max)
{
	struct event ev;
	int own = 0;

	while (max-- && event_next(trid, &ev)) {
		const unsigned long *data = (const void *)ev.data;

		if (ev.info.posix_event_id != id)
			continue;
		for (size_t i = 0; i < ev.size / 8; i++)
			torn += data[i] != data[0];
		if (ev.info.posix_pid != getpid())
			continue;
		back += ev.word != (unsigned long)own;
		own++;
	}
	return own;
}

static void one_round(trace_id_t trid, int fits)
{
	struct proc p[NR_CHILDREN];
	double begin;

	for (int i = 0; i < NR_CHILDREN; i++)
		proc_start(&p[i], child, NULL);
	*recorded = 0;
	while (*recorded < (unsigned long)(rand() % 3000))
		if (rand() % 64 == 0)
			drain(trid, 1000); /* They may be faster. */
	for (int i = 0; i < NR_CHILDREN; i++) {
		kill(p[i].pid, SIGSTOP);
		waitpid(p[i].pid, NULL, WUNTRACED);
	}
	event_put(id, 0);
	begin = now();
	missing += drain(trid, -1) != 1;
	/* Generous: it takes the time of some looks. */
	late += now() - begin > (under_valgrind() ? 20 : 1);
	for (int i = 0; i < NR_CHILDREN; i++)
		proc_kill(&p[i], SIGKILL);
	drain(trid, -1);
	for (int i = 0; i < fits; i++)
		event_put(id, (unsigned long)i);
	missing += drain(trid, -1) != fits;
}

int main(void)
{
	trace_attr_t *attr;
	trace_id_t trid;
	size_t need;

	plan(4);
	srand((unsigned int)getpid());
	id = event_id("an event");
	recorded = proc_shared();
	attr = stream_attr(SIZE, 72, POSIX_TRACE_LOOP);
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_getmaxusereventsize(attr, 8, &need);
	trid = stream_run(0, attr);
	for (int i = 0; i < fewer(NR_ROUNDS); i++)
		one_round(trid, (int)(SIZE / need));
	is_int(torn, 0, "none torn");
	is_int(missing, 0, "none missing");
	is_int(back, 0, "in order");
	is_int(late, 0, "without delay");
	stream_end(trid);
	return done();
}
