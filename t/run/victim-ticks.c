/* SPDX-License-Identifier: MIT */
/*
 * Records an event "tick" every few milliseconds until its standard input
 * ends; with an argument, so many at once.
 */
#include <trace.h>

#include <poll.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct pollfd input = {0, POLLIN, 0};
	trace_event_id_t tick;
	long nr = argc > 1 ? atol(argv[1]) : 0;

	if (posix_trace_eventid_open("tick", &tick) != 0)
		return 1;
	for (long i = 0; i < nr; i++)
		posix_trace_event(tick, &i, sizeof(i));
	if (argc > 1)
		return 0;
	while (poll(&input, 1, 5) == 0)
		posix_trace_event(tick, NULL, 0);
	return 0;
}
