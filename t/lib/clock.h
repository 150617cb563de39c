/* SPDX-License-Identifier: MIT */
/* The times of events, and CLOCK_REALTIME for comparison. */
#ifndef PTL_T_LIB_CLOCK_H
#define PTL_T_LIB_CLOCK_H

#include "t/lib/stream.h"

#include <time.h>

/* Readings of two clocks may differ by this much. */
#define CLOCK_SLACK_NS 1000000

/* -1, 0, 1. */
int time_cmp(const struct timespec *a, const struct timespec *b);

long long ns_of(const struct timespec *time);

long long clock_ns(void);

/* The same, when it is clearly later than all times before. */
long long clock_later(void);

/* Does the kernel trust the counter of the CPU?  In some virtual machines it
 * does not: then no event goes the fast path, and its time is made by code of
 * the kernel's, of which there may be more one time than another. */
int clock_is_counter(void);

long long event_ns(const struct event *ev);

/* Is its time in between, within the slack? */
int event_between(const struct event *ev, long long from, long long to);

#endif
