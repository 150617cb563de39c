/* SPDX-License-Identifier: MIT */
/*
 * The family time: who sleeps, which timers run, and who asks for the time.
 * Times that the program gave are nanoseconds here; 0 where they cannot be
 * read.
 */
#include "preload/wrap/call.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* A call that succeeded has read, or written, it. */
static int64_t ns(const struct timespec *time, bool failed)
{
	if (!time || (failed && !ptl_call_readable(time, sizeof(*time))))
		return 0;
	return (int64_t)((uint64_t)time->tv_sec * 1000000000 +
			 (uint64_t)time->tv_nsec);
}

static int64_t us_ns(const struct timeval *time, bool failed)
{
	if (!time || (failed && !ptl_call_readable(time, sizeof(*time))))
		return 0;
	return (int64_t)((uint64_t)time->tv_sec * 1000000000 +
			 (uint64_t)time->tv_usec * 1000);
}

/* clang-format off */

#define CALL_NANOSLEEP(name) \
	WRAP(int, name, (const struct timespec *time, \
	     struct timespec *left), (time, left), INT, TIME_NANOSLEEP, \
	     (CLOCK_REALTIME, 0, ns(time, ret != 0)), NOTHING)
#define CALL_CLOCK(name, event) \
	WRAP(int, name, (clockid_t clock, struct timespec *time), \
	     (clock, time), INT, event, (clock, ns(time, ret != 0)), NOTHING)

/* ---- the table ---- */

CALL_NANOSLEEP(nanosleep)
CALL_NANOSLEEP(__nanosleep)
/* What is returned is the error. */
WRAP(int, clock_nanosleep, (clockid_t clock, int flags,
     const struct timespec *time, struct timespec *left),
     (clock, flags, time, left), NUM, TIME_NANOSLEEP,
     (clock, flags, ns(time, ret != 0), ret ? -1 : 0), NOTHING)
WRAP(int, thrd_sleep, (const struct timespec *time, struct timespec *left),
     (time, left), NONE, TIME_THRD_SLEEP, (ns(time, ret != 0)), NOTHING)
WRAP(unsigned int, sleep, (unsigned int seconds), (seconds), NONE,
     TIME_SLEEP, (seconds), NOTHING)
WRAP(int, usleep, (useconds_t us), (us), INT, TIME_USLEEP, (us), NOTHING)
WRAP(unsigned int, alarm, (unsigned int seconds), (seconds), NONE,
     TIME_ALARM, (seconds), NOTHING)

WRAP(int, setitimer, (__itimer_which_t which,
     const struct itimerval *restrict new, struct itimerval *restrict old),
     (which, new, old), INT, TIME_SETITIMER,
     (which, new ? us_ns(&new->it_value, ret != 0) : 0,
      new ? us_ns(&new->it_interval, ret != 0) : 0), NOTHING)
WRAP(int, timer_create, (clockid_t clock, struct sigevent *restrict event,
     timer_t *restrict timer), (clock, event, timer), INT, TIME_TIMER_CREATE,
     (clock, ret ? 0 : P(*timer)), NOTHING)
WRAP(int, timer_settime, (timer_t timer, int flags,
     const struct itimerspec *restrict new, struct itimerspec *restrict old),
     (timer, flags, new, old), INT, TIME_TIMER_SETTIME,
     (P(timer), flags, new ? ns(&new->it_value, ret != 0) : 0,
      new ? ns(&new->it_interval, ret != 0) : 0), NOTHING)
WRAP(int, timer_delete, (timer_t timer), (timer), INT, TIME_TIMER_DELETE,
     (P(timer)), NOTHING)
WRAP(int, timerfd_create, (clockid_t clock, int flags), (clock, flags), INT,
     TIME_TIMERFD_CREATE, (clock, flags), NOTHING)
WRAP(int, timerfd_settime, (int fd, int flags, const struct itimerspec *new,
     struct itimerspec *old), (fd, flags, new, old), INT,
     TIME_TIMERFD_SETTIME, (fd, flags,
      new ? ns(&new->it_value, ret != 0) : 0,
      new ? ns(&new->it_interval, ret != 0) : 0), NOTHING)

CALL_CLOCK(clock_gettime, TIME_CLOCK_GETTIME)
WRAP(int, clock_settime, (clockid_t clock, const struct timespec *time),
     (clock, time), INT, TIME_CLOCK_SETTIME, (clock, ns(time, ret != 0)),
     NOTHING)
WRAP(int, gettimeofday, (struct timeval *restrict time, void *restrict zone),
     (time, zone), INT, TIME_GETTIMEOFDAY, (us_ns(time, ret != 0)), NOTHING)
WRAP(int, __gettimeofday, (struct timeval *restrict time,
     void *restrict zone), (time, zone), INT, TIME_GETTIMEOFDAY,
     (us_ns(time, ret != 0)), NOTHING)
WRAP(time_t, time, (time_t *to), (to), NONE, TIME_TIME, (), NOTHING)
