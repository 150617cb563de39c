/* SPDX-License-Identifier: MIT */
/*
 * fork: from a handler, after each single instruction of posix_trace_event, in
 * the main thread and in another: the child's call comes to its end, and the
 * child records on in its own name; of the parent nothing is lost or doubled.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_id_t trid;
static trace_event_id_t id, of_child;
static unsigned long number;
static int failed, wrong;

static void record(void)
{
	event_put(id, number);
}

/* The rest of the child, that of its parent's thread. */
static void leave(void)
{
	event_put(of_child, number);
	event_put(of_child, number);
	_exit(0);
}

/* Both record it, or the child came too late to. */
static void check(long after)
{
	int parents = 0, interrupted = 0, marks = 0;
	struct event ev;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id == id &&
		    ev.info.posix_pid == getpid())
			parents += ev.word == number ? 1 : 100;
		else if (ev.info.posix_event_id == id)
			interrupted += ev.info.posix_pid == step_child &&
						       ev.word == number ?
					       1 :
					       100;
		if (ev.info.posix_event_id == of_child)
			marks += ev.info.posix_pid == step_child &&
						 ev.word == number ?
					 1 :
					 100;
	}
	if (parents == 1 && interrupted <= 1 && marks == 2)
		return;
	if (wrong++ < 5)
		diag("after %ld: %d of the parent, %d and %d of the child",
		     after, parents, interrupted, marks);
}

/* Forks after so many instructions.  0: so many there are not. */
static int one(long after)
{
	number++;
	/* It goes the fast path. */
	event_put(of_child, 0);
	while (event_count(trid, id))
		;
	step_fork_after(after);
	step_through(record, step_fork);
	if (step_child == 0)
		leave();
	if (!step_forked(&failed))
		return 0;
	check(after);
	return 1;
}

static void *all(void *arg)
{
	long n = 0;

	while (one(n + 1))
		n++;
	*(long *)arg = n;
	return NULL;
}

static void test(const char *thread, long nr)
{
	ok(nr > 20, "%s: forked %ld times", thread, nr);
	is_int(failed, 0, "%s: [event.9] the children go on", thread);
	is_int(wrong, 0, "%s: [event.9] each event is recorded once", thread);
	failed = wrong = 0;
}

int main(void)
{
	pthread_t thread;
	long nr = 0;

	step_needed();
	no_sanitizer();
	plan(6);
	id = event_id("an event");
	of_child = event_id("of the child");
	trid = stream_run(
		0, attr_inherit(stream_attr(1 << 20, 64, POSIX_TRACE_LOOP)));
	all(&nr);
	test("main thread", nr);
	pthread_create(&thread, NULL, all, &nr);
	pthread_join(thread, NULL);
	test("another", nr);
	stream_end(trid);
	return done();
}
