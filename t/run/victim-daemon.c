/* SPDX-License-Identifier: MIT */
/*
 * Leaves a daemon behind that records an event "late" when the named fifo is
 * opened by somebody, and ends.
 */
#include <trace.h>

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	trace_event_id_t late;

	if (argc < 2 || posix_trace_eventid_open("late", &late) != 0)
		return 1;
	/* Changes to /dev/null what others may wait for, not the directory. */
	if (daemon(1, 0) != 0)
		return 1;
	if (open(argv[1], O_RDONLY) < 0)
		return 1;
	posix_trace_event(late, "", 0);
	return 0;
}
