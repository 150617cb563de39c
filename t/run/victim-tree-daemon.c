/* SPDX-License-Identifier: MIT */
/*
 * victim-tree-daemon HOW FIFO: becomes a daemon, waits until somebody opens
 * the fifo, runs a command and ends.  Not linked with libptrace.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* As old books have it. */
static void fork_twice(void)
{
	if (fork() != 0)
		_exit(0);
	setsid();
	if (fork() != 0)
		_exit(0);
	if (chdir("/") != 0)
		_exit(1);
	umask(0);
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	for (int fd = 0; fd < 3; fd++)
		open("/dev/null", O_RDWR);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "twice") == 0)
		fork_twice();
	else if (daemon(0, 0) != 0)
		return 1;
	if (open(argv[2], O_RDONLY | O_CLOEXEC) < 0)
		return 1;
	return WEXITSTATUS(system("/bin/true; exit 5"));
}
