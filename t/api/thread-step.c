/* SPDX-License-Identifier: MIT */
/*
 * fork: from a handler, after each single instruction by which a thread starts,
 * ends, or is made: the child goes on to its end and records in its own name;
 * of the parent's threads each starts and ends once.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 32)

enum when { START, END, MAKE };

static trace_id_t trid;
static trace_event_id_t id;
static pthread_key_t key;
static pthread_attr_t attr, too_large;
static sigset_t go;
static enum when when;
static pid_t parent;
static int failed, wrong;

static void begin(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	step_from(context, step_fork);
}

/* In the last but one round of them: what the library does is done. */
static void destroy(void *round)
{
	if ((size_t)round < 3)
		pthread_setspecific(key, (char *)round + 1);
	else
		step_end();
}

static void *thread(void *arg)
{
	step_end();
	event_put(id, 1);
	if (getpid() != parent && when != END)
		_exit(0);
	if (when != END)
		return arg;
	pthread_setspecific(key, (void *)1);
	pthread_kill(pthread_self(), SIGUSR1);
	return arg;
}

/* Where glibc makes it all signals are blocked, so it must not come so far. */
static void fail(void)
{
	pthread_t thread_id;

	pthread_create(&thread_id, &too_large, thread, NULL);
}

static void run(const pthread_attr_t *how)
{
	pthread_t thread_id;

	if (pthread_create(&thread_id, how, thread, NULL) == 0)
		pthread_join(thread_id, NULL);
}

/* What is there of the parent and of the child, each as it should be? */
static void check(long after)
{
	int starts = 0, ends = 0, parents = 0, childs = 0, strange = 0;
	struct event ev;

	while (event_next(trid, &ev)) {
		char name[TRACE_EVENT_NAME_MAX];

		posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
					     name);
		if (ev.info.posix_pid == parent) {
			starts += strcmp(name, "thread:start") == 0;
			ends += strcmp(name, "thread:exit") == 0;
			parents += ev.info.posix_event_id == id;
		} else if (ev.info.posix_pid == step_child) {
			childs += ev.info.posix_event_id == id;
			/* In its own name. */
			strange += ev.info.posix_event_id == id &&
				   when == START &&
				   ev.info.posix_tid_np != step_child;
		} else {
			strange++;
		}
	}
	if (starts == 1 && ends == 1 && parents == 1 && childs <= 1 &&
	    childs >= (when != END) && !strange)
		return;
	if (wrong++ < 5)
		diag("after %ld: %d starts, %d ends, %d events, %d of the "
		     "child, %d of nobody",
		     after, starts, ends, parents, childs, strange);
}

/* Forks after so many instructions.  0: so many there are not. */
static int one(long after)
{
	step_fork_after(after);
	if (when == MAKE)
		step_through(fail, step_fork);
	if (when == START)
		kill(parent, SIGUSR1);
	run(&attr);
	if (step_child == 0)
		_exit(0);
	if (!step_forked(&failed))
		return 0;
	check(after);
	return 1;
}

static void test(const char *what, enum when begins)
{
	long n = 0;

	when = begins;
	failed = wrong = 0;
	while (one(n + 1))
		n += 1 + n / 50;
	ok(n > 100, "%s: forked up to %ld", what, n);
	is_int(failed, 0, "%s: the children go on", what);
	is_int(wrong, 0, "%s: each event is recorded once", what);
	event_count(trid, id);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = begin,
				   .sa_flags = SA_SIGINFO};

	step_needed();
	no_sanitizer();
	plan(9);
	parent = getpid();
	id = event_id("an event");
	sigaction(SIGUSR1, &action, NULL);
	pthread_key_create(&key, destroy);
	/* What is sent to the process comes as soon as the new thread is. */
	sigemptyset(&go);
	pthread_attr_init(&attr);
	pthread_attr_setsigmask_np(&attr, &go);
	sigaddset(&go, SIGUSR1);
	pthread_attr_init(&too_large);
	pthread_attr_setstacksize(&too_large, (size_t)1 << 46);
	pthread_sigmask(SIG_BLOCK, &go, NULL);
	trid = stream_make(
		0, attr_inherit(stream_attr(1 << 20, 64, POSIX_TRACE_LOOP)));
	stream_start(trid);
	test("start", START);
	test("end", END);
	test("not made", MAKE);
	stream_end(trid);
	return done();
}

#else

int main(void)
{
	skip_all("no pthread_attr_setsigmask_np()");
}

#endif
