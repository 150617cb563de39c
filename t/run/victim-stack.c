/* SPDX-License-Identifier: MIT */
/*
 * Traces a program it executes, itself with another argument, with stacks,
 * into the log that is its argument.
 */
#include <trace.h>

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

void inner(void);
void outer(void);

__attribute__((noinline)) void inner(void)
{
	trace_event_id_t id;

	if (posix_trace_eventid_open("stacked", &id) == 0)
		posix_trace_event(id, "x", 1);
	__asm__ volatile("");
}

__attribute__((noinline)) void outer(void)
{
	inner();
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	int fd, status;
	trace_attr_t attr;
	trace_id_t trid;

	if (argc < 2 || strcmp(argv[1], "events") == 0) {
		outer();
		return 0;
	}
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	posix_trace_attr_init(&attr);
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	if (posix_trace_attr_setstackdepth_np(&attr, 8) != 0 ||
	    posix_trace_create_withlog(0, &attr, fd, &trid) != 0 ||
	    posix_trace_start(trid) != 0)
		return 1;
	if (fork() == 0) {
		execl("/proc/self/exe", argv[0], "events", (char *)0);
		_exit(127);
	}
	wait(&status);
	return status || posix_trace_shutdown(trid) != 0;
}
