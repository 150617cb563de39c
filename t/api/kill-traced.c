/* SPDX-License-Identifier: MIT */
/*
 * DESIGN law 3: of a traced process killed at any point every event whose call
 * had returned is read, none torn, doubled or out of order.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>

#define NR_THREADS 2

static trace_event_id_t id;
static _Atomic unsigned long *done_of;

static void *record(void *arg)
{
	unsigned long me = (unsigned long)(size_t)arg, data[9];

	for (unsigned long i = 1;; i++) {
		for (int n = 0; n < 9; n++)
			data[n] = me << 48 | i;
		posix_trace_event(id, data, 8 + i % 9 * 8);
		done_of[me] = i;
		/* So that it does not become full. */
		if (i % 64 == 0)
			usleep(10);
		while (i == 12000)
			pause();
	}
	return NULL;
}

static int child(struct proc *self, void *arg)
{
	pthread_t thread;

	(void)self;
	(void)arg;
	pthread_create(&thread, NULL, record, (void *)1);
	record(NULL);
	return 0;
}

static int torn(const struct event *ev)
{
	const unsigned long *data = (const void *)ev->data;

	for (size_t n = 0; n < ev->size / 8; n++)
		if (data[n] != data[0])
			return 1;
	return ev->size != 8 + (data[0] & 0xffffffff) % 9 * 8;
}

static int missing, bad, killed;

static void one_round(int round)
{
	unsigned long last[NR_THREADS] = { 0 };
	struct event ev;
	struct proc p;
	trace_id_t trid;

	done_of[0] = done_of[1] = 0;
	trid = stream_run(0, attr_inherit(stream_attr(2 << 20, 72,
						      POSIX_TRACE_UNTIL_FULL)));
	proc_start(&p, child, NULL);
	while (done_of[round % 2] < (unsigned long)(rand() % 1500) + 1)
		;
	killed += proc_kill(&p, SIGKILL) == 128 + SIGKILL;
	while (event_next(trid, &ev)) {
		unsigned long who = ev.word >> 48;

		if (ev.info.posix_event_id != id)
			continue;
		bad += torn(&ev) || ev.info.posix_pid != p.pid ||
		       (ev.word & 0xffffffffffff) != ++last[who];
	}
	for (int i = 0; i < NR_THREADS; i++)
		missing += last[i] < done_of[i];
	stream_end(trid);
}

int main(void)
{
	int nr_rounds = fewer(200);

	plan(3);
	srand((unsigned int)getpid());
	id = event_id("an event");
	done_of = proc_shared();
	for (int i = 0; i < nr_rounds; i++)
		one_round(i);
	is_int(killed, nr_rounds, "killed");
	is_int(missing, 0, "no thread's events are missing");
	is_int(bad, 0, "all are whole and in order");
	return done();
}
