/* SPDX-License-Identifier: MIT */
/*
 * fork: while eight threads record, children of fork() record, too, and no
 * event of either is lost, doubled or under another's name.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/wait.h>

#define NR_THREADS 8
#define NR_FORKS 60
#define NR_CHILD 50

static trace_event_id_t of_thread, of_child;
static _Atomic unsigned long counts[NR_THREADS], seen[NR_THREADS];
static _Atomic int finish;
static pid_t pids[NR_FORKS];
static unsigned long child_seen[NR_FORKS];
static trace_id_t trid;
static int wrong;

static void *record(void *arg)
{
	unsigned long me = (unsigned long)(size_t)arg;

	while (!finish) {
		event_put(of_thread, me << 48 | counts[me]);
		counts[me]++;
		/* The reader keeps up. */
		while (!finish && counts[me] > seen[me] + 1000)
			usleep(100);
	}
	return NULL;
}

static void drain(int max)
{
	struct event ev;

	while (max-- && event_next(trid, &ev)) {
		if (ev.info.posix_event_id == of_thread) {
			wrong += (ev.word & 0xffffffffffff) !=
					 seen[ev.word >> 48]++ ||
				 ev.info.posix_pid != getpid();
		} else if (ev.info.posix_event_id == of_child) {
			unsigned long who = ev.word >> 32;

			wrong += ev.info.posix_pid != pids[who] ||
				 (ev.word & 0xffffffff) != child_seen[who]++;
		} else {
			wrong += ev.info.posix_event_id == POSIX_TRACE_STOP ||
				 ev.info.posix_event_id ==
					 POSIX_TRACE_OVERFLOW;
		}
	}
}

int main(void)
{
	pthread_t thread[NR_THREADS];
	int lost = 0;

	plan(3);
	of_thread = event_id("of a thread");
	of_child = event_id("of a child");
	trid = stream_run(0, attr_inherit(stream_attr(4 << 20, 8,
						      POSIX_TRACE_UNTIL_FULL)));
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, record, (void *)i);
	for (unsigned long i = 0; i < NR_FORKS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			for (unsigned long n = 0; n < NR_CHILD; n++)
				event_put(of_child, i << 32 | n);
			_exit(0);
		}
		if (i % 2)
			waitpid(pids[i], NULL, 0);
		drain(2000);
	}
	while (wait(NULL) > 0)
		;
	finish = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	drain(-1);
	is_int(wrong, 0, "all as they were");
	for (int i = 0; i < NR_THREADS; i++)
		lost += seen[i] != counts[i];
	is_int(lost, 0, "all of the threads");
	lost = 0;
	for (int i = 0; i < NR_FORKS; i++)
		lost += child_seen[i] != NR_CHILD;
	is_int(lost, 0, "all of the children");
	stream_end(trid);
	return done();
}
