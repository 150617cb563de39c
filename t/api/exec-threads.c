/* SPDX-License-Identifier: MIT */
/*
 * exec: while other threads of the process record: what they had recorded is in
 * the stream, whole, once, before what the new image records.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_ROUNDS 25
#define NR_THREADS 4
#define NR_AFTER 50

static _Atomic unsigned long *done_of;
static trace_event_id_t id;
static char *path;

static void *record(void *arg)
{
	unsigned long me = (unsigned long)(size_t)arg;

	for (unsigned long i = 1;; i++) {
		event_put(id, me << 48 | i);
		done_of[me] = i;
		if (i % 100 == 0)
			usleep(100);
		while (i == 10000)
			pause();
	}
	return NULL;
}

static int image(void)
{
	id = event_id("an event");
	for (unsigned long i = 1; i <= NR_AFTER; i++)
		event_put(id, (unsigned long)NR_THREADS << 48 | i);
	return 0;
}

static void *exec_it(void *arg)
{
	execl(path, path, "image", (char *)NULL);
	return arg;
}

static int traced(struct proc *self, void *arg)
{
	int by_thread = *(int *)arg;
	pthread_t thread;

	proc_turn(self);
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&thread, NULL, record, (void *)i);
	while (done_of[0] < (unsigned long)rand() % 500 + 1)
		sched_yield();
	if (by_thread)
		pthread_create(&thread, NULL, exec_it, NULL);
	else
		exec_it(NULL);
	pause();
	return 1;
}

static int missing, wrong, late, failed;

static void one_round(int round)
{
	trace_attr_t *attr = stream_attr(4 << 20, 8, POSIX_TRACE_UNTIL_FULL);
	unsigned long last[NR_THREADS + 1] = {0};
	int by_thread = round % 2;
	trace_id_t trid;
	struct event ev;
	struct proc p;

	for (int i = 0; i < NR_THREADS; i++)
		done_of[i] = 0;
	srand((unsigned int)round);
	proc_start(&p, traced, &by_thread);
	proc_await(&p);
	trid = stream_run(p.pid, attr);
	proc_tell(&p);
	failed += proc_wait(&p) != 0;
	while (event_find(trid, id, &ev)) {
		unsigned long who = ev.word >> 48;

		if (who > NR_THREADS || ev.info.posix_pid != p.pid ||
		    (ev.word & 0xffffffffffff) != ++last[who])
			wrong++;
		late += who < NR_THREADS && last[NR_THREADS] > 0;
	}
	for (int i = 0; i < NR_THREADS; i++)
		missing += last[i] < done_of[i];
	missing += last[NR_THREADS] != NR_AFTER;
	stream_end(trid);
}

int main(int argc, char **argv)
{
	path = argv[0];
	if (argc > 1 && strcmp(argv[1], "image") == 0)
		return image();
	plan(4);
	done_of = proc_shared();
	id = event_id("an event");
	for (int i = 0; i < NR_ROUNDS; i++)
		one_round(i);
	is_int(failed, 0, "all went on");
	is_int(missing, 0, "[exec.1] none is missing");
	is_int(wrong, 0, "[getnext_event.16] none is doubled or out of order");
	is_int(late, 0, "[getnext_event.17] those of before come before");
	return done();
}
