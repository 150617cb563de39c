/* SPDX-License-Identifier: MIT */
/* Records an event of each of so many names. */
#include <trace.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long nr = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < nr; i++) {
		trace_event_id_t id;
		char name[32];

		snprintf(name, sizeof(name), "name %ld", i);
		if (posix_trace_eventid_open(name, &id) != 0)
			return 1;
		posix_trace_event(id, &i, sizeof(i));
	}
	return 0;
}
