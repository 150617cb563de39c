/* SPDX-License-Identifier: MIT */
/* The instrumented program of the standard's scenarios. */
#include <trace.h>

int main(void)
{
	trace_event_id_t first, second;

	if (posix_trace_eventid_open("my_first_event", &first) != 0 ||
	    posix_trace_eventid_open("my_second_event", &second) != 0)
		return 1;
	posix_trace_event(first, NULL, 0);
	posix_trace_event(second, "data", 4);
	return 5;
}
