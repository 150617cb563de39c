/* SPDX-License-Identifier: MIT */
/*
 * fork: from a handler that interrupted posix_trace_event: when the child goes
 * on with that call, which its parent has long ended, it writes into nothing
 * that is its parent's, nor where nothing is any more.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#define NR_ROUNDS 12
#define SIZE ((size_t)64 << 10)

static trace_event_id_t id, of_child;
static trace_id_t trid, closed;
static _Atomic int forked, recording, is_child;
static _Atomic int *go_on;
static pid_t pid;
static int current;
static unsigned char *data, *got;

static void handler(int sig)
{
	(void)sig;
	if (!recording || forked)
		return;
	pid = fork();
	if (pid == 0) {
		is_child = 1;
		while (*go_on != current)
			sched_yield();
	}
	forked = 1;
}

static void record(unsigned char number)
{
	memset(data, number, SIZE);
	recording = 1;
	posix_trace_event(id, data, SIZE);
	recording = 0;
	if (is_child) {
		event_put(of_child, 1);
		_exit(0);
	}
}

static struct posix_trace_event_info info;

/* The number of the next event, its parent's; -1: none; -2: torn. */
static int next(void)
{
	size_t size;
	int none;

	do {
		if (posix_trace_trygetnext_event(trid, &info, got, SIZE, &size,
						 &none) ||
		    none)
			return -1;
	} while (info.posix_event_id != id || info.posix_pid != getpid());
	if (size != SIZE)
		return -2;
	for (size_t i = 0; i < size; i++)
		if (got[i] != got[0])
			return -2;
	return got[0];
}

static int wrong, failed;

static void one_round(int round)
{
	struct posix_trace_status_info status;
	int n = 0, result;

	current = round + 1;
	forked = 0;
	while (!forked) {
		record(0xff);
		while (next() >= 0)
			;
	}
	/* Its chunk is given back, and all room used anew. */
	for (int i = 0; i < 20; i++) {
		record(0xfe);
		while (next() >= 0)
			;
	}
	do {
		record((unsigned char)(n++ % 250));
		posix_trace_get_status(trid, &status);
	} while (status.posix_stream_status == POSIX_TRACE_RUNNING);
	*go_on = current;
	failed += waitpid(pid, &result, 0) != pid || result;
	/* The last did not fit. */
	for (int i = 0; i < n - 1; i++)
		wrong += next() != i % 250;
	wrong += next() != -1;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 1000}, {0, 1000}};
	trace_attr_t *attr = stream_attr(1 << 20, SIZE, POSIX_TRACE_UNTIL_FULL);

	if (under_valgrind())
		skip_all("valgrind: mremap() gives no second mapping");
	plan(3);
	data = malloc(SIZE);
	got = malloc(SIZE);
	go_on = proc_shared();
	id = event_id("of the parent");
	of_child = event_id("of the child");
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	trid = stream_make(0, attr);
	posix_trace_attr_setinherited(attr, POSIX_TRACE_CLOSE_FOR_CHILD);
	posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_LOOP);
	closed = stream_make(0, attr);
	stream_begin(trid);
	stream_begin(closed);
	sigaction(SIGVTALRM, &action, NULL);
	setitimer(ITIMER_VIRTUAL, &timer, NULL);
	for (int i = 0; i < NR_ROUNDS; i++)
		one_round(i);
	is_int(wrong, 0, "[event.9] the parent's events are as they were");
	is_int(failed, 0, "the children are content");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	return done();
}
