/* SPDX-License-Identifier: MIT */
#include "t/lib/clock.h"

#include <stdio.h>
#include <string.h>

int time_cmp(const struct timespec *a, const struct timespec *b)
{
	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec ? -1 : 1;
	if (a->tv_nsec != b->tv_nsec)
		return a->tv_nsec < b->tv_nsec ? -1 : 1;
	return 0;
}

long long ns_of(const struct timespec *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

long long clock_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return ns_of(&time);
}

long long clock_later(void)
{
	long long from = clock_ns(), ns;

	do
		ns = clock_ns();
	while (ns < from + 3 * CLOCK_SLACK_NS);
	return ns;
}

int clock_is_counter(void)
{
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/"
			   "current_clocksource",
			   "r");
	char name[32] = "";

	if (file) {
		if (!fgets(name, sizeof(name), file))
			name[0] = '\0';
		fclose(file);
	}
	return strcmp(name, "tsc\n") == 0 ||
	       strcmp(name, "arch_sys_counter\n") == 0;
}

long long event_ns(const struct event *ev)
{
	return ns_of(&ev->info.posix_timestamp);
}

int event_between(const struct event *ev, long long from, long long to)
{
	long long ns = event_ns(ev);

	return ns >= from - CLOCK_SLACK_NS && ns <= to + CLOCK_SLACK_NS;
}
