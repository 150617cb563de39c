/* SPDX-License-Identifier: MIT */
/* A sleep ends at its deadline, after 20 ms, or at a signal, and says which. */
#include "core/sys/clock.h"
#include "core/sys/wait.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/time.h>

static struct timespec in_ms(long ms)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_nsec += ms % 1000 * 1000000;
	ts.tv_sec += ms / 1000 + ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	return ts;
}

static int is_past(const struct timespec *ts)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec > ts->tv_sec ||
	       (now.tv_sec == ts->tv_sec && now.tv_nsec >= ts->tv_nsec);
}

static void on_signal(int sig)
{
	(void)sig;
}

int main(void)
{
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = on_signal };
	const struct timespec never = { LONG_MAX, 999999999 };
	const struct timespec ever = { LONG_MIN, 0 };
	struct timespec soon;
	_Atomic uint32_t word = 0;
	uint64_t begin;
	int err = 0, i;

	plan(12);
	ptl_clock_init();
	is_int(ptl_wait_sleep(&word, &ever, 0), 0, "nobody announced a sleep");
	word = 1;
	soon = in_ms(5);
	is_int(ptl_wait_sleep(&word, &soon, 0), ETIMEDOUT, "a near deadline");
	ok(is_past(&soon), "is waited for");
	is_int(ptl_wait_sleep(&word, &soon, 0), ETIMEDOUT, "one that has passed");
	is_int(ptl_wait_sleep(&word, &ever, 0), ETIMEDOUT, "one before all time");
	is_int(ptl_wait_sleep(&word, &never, 0), 0, "one after all time: 20 ms");
	soon = in_ms(500); /* the first step may take long */
	for (i = 0; i < 1000 && !err; i++)
		err = ptl_wait_sleep(&word, &soon, 0);
	is_int(err, ETIMEDOUT, "a deadline beyond 20 ms");
	ok(is_past(&soon) && i > 1, "is waited for in %d steps", i);
	is_int(ptl_wait_sleep(&word, NULL, 0), 0, "no deadline: 20 ms");
	begin = ptl_clock_ns(CLOCK_MONOTONIC);
	is_int(ptl_wait_sleep(&word, NULL, 3), 0, "the fourth round: 160 ms");
	ok(ptl_clock_ns(CLOCK_MONOTONIC) - begin >= 160000000, "so long");

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	err = 0;
	for (i = 0; i < 1000 && err == 0; i++)
		err = ptl_wait_sleep(&word, NULL, 0);
	timer = (struct itimerval){ 0 };
	setitimer(ITIMER_REAL, &timer, NULL);
	is_int(err, EINTR, "a signal whose handler has no SA_RESTART");
	return done();
}
