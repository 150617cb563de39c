/* SPDX-License-Identifier: MIT */
/* victim-closefrom HOW: closes everything as daemons do, and goes on. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int nr_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = -1; /* its own */

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr - 2; /* . and .. */
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "none";
	int status;
	pid_t pid;

	printf("%d open\n", nr_open());
	if (strcmp(how, "closefrom") == 0)
		closefrom(3);
	else if (strcmp(how, "close_range") == 0)
		close_range(3, ~0u, 0);
	else if (strcmp(how, "bare") == 0)
		syscall(SYS_close_range, 3, ~0u, 0);
	else
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 6", NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("%d open, child %d\n", nr_open(), WEXITSTATUS(status));
	return 0;
}
