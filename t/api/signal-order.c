/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_trygetnext_event: while another thread records under a storm of
 * nested signals, each of its events is read in order: time never goes back, no
 * event of the thread or of a handler is passed by a later one.
 */
#include "t/lib/clock.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NR_SIGNALS 3

static trace_event_id_t id;
static unsigned long count[NR_SIGNALS + 1], next_of[NR_SIGNALS + 1];
static _Atomic int finished;
static _Atomic unsigned long read_so_far, recorded;
static int back, wrong, lost;

static void put(unsigned long level)
{
	unsigned long data[12];

	while (!level && recorded > read_so_far + 2000 && !finished)
		sched_yield();
	for (int i = 0; i < 12; i++)
		data[i] = level << 60 | count[level];
	count[level]++;
	recorded++;
	posix_trace_event(id, data, 8 + count[level] % 12 * 8);
}

static void handler(int sig)
{
	for (int i = 0; i < 30 && recorded < read_so_far + 2500; i++)
		put((unsigned long)(sig - SIGRTMIN) + 1);
}

static void start_timer(int n)
{
	struct itimerspec often = { { 0, 40000 + 15000 * n }, { 0, 100000 } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = SIGRTMIN + n };
	timer_t timer;

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &often, NULL);
}

static void *record(void *arg)
{
	struct timespec now, begin;
	sigset_t all;

	(void)arg;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	now = begin;
	for (int i = 0; i < NR_SIGNALS; i++)
		start_timer(i);
	for (unsigned long i = 0; now.tv_sec <= begin.tv_sec + 1; i++) {
		put(0);
		if (i % 64 == 0)
			clock_gettime(CLOCK_MONOTONIC, &now);
	}
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	finished = 1;
	return NULL;
}

static void check(const struct event *ev)
{
	static long long last;
	unsigned long level = ev->word >> 60 & 3;
	unsigned long number = ev->word & 0xfffffffffffffff;

	lost += ev->info.posix_event_id == POSIX_TRACE_STOP;
	if (ev->info.posix_event_id != id)
		return;
	read_so_far++;
	back += event_ns(ev) < last;
	last = event_ns(ev);
	wrong += number != next_of[level];
	next_of[level] = number + 1;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_t thread;
	struct event ev;
	trace_id_t trid;
	sigset_t all;

	/* It runs one thread at a time: the storm leaves ours no time. */
	if (under_valgrind())
		skip_all("valgrind: the thread does not get on");
	plan(4);
	id = event_id("an event");
	/* Small chunks: handlers often close them over what they interrupt. */
	trid = stream_run(0, stream_attr(400000, 96, POSIX_TRACE_UNTIL_FULL));
	for (int i = 0; i < NR_SIGNALS; i++)
		sigaction(SIGRTMIN + i, &action, NULL);
	pthread_create(&thread, NULL, record, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!finished)
		if (event_next(trid, &ev))
			check(&ev);
	pthread_join(thread, NULL);
	while (event_next(trid, &ev))
		check(&ev);
	diag("%lu events", read_so_far);
	is_int(back, 0, "time never goes back");
	is_int(wrong, 0, "none is lost or out of order");
	is_int(lost, 0, "it was never full");
	is_int((long long)read_so_far, (long long)recorded, "all were read");
	stream_end(trid);
	return done();
}
