/* SPDX-License-Identifier: MIT */
/*
 * victim-tree-close HOW: closes every descriptor, goes on recording, forks, and
 * execs itself without an argument.
 */
#include <trace.h>

#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void record(const char *name)
{
	trace_event_id_t id;

	if (posix_trace_eventid_open(name, &id) == 0)
		posix_trace_event(id, name, strlen(name));
}

static void close_all(const char *how)
{
	if (strcmp(how, "closefrom") == 0)
		closefrom(0);
	else if (strcmp(how, "close_range") == 0)
		close_range(0, ~0u, 0);
	else if (strcmp(how, "syscall") == 0)
		syscall(SYS_close_range, 0, ~0u, 0);
	else
		for (int fd = 0; fd < 1024; fd++)
			close(fd);
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc < 2) {
		record("new image");
		return dup(0) >= 0;
	}
	close_all(argv[1]);
	record("closed");
	if (fork() == 0) {
		record("child");
		execl("/proc/self/exe", argv[0], (char *)NULL);
		_exit(127);
	}
	wait(&status);
	record("reaped");
	execl("/proc/self/exe", argv[0], (char *)NULL);
	return 127;
}
