/* SPDX-License-Identifier: MIT */
/* victim-untraced FILE: runs FILE by vfork+exec and by posix_spawn. */
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status = 0, error;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = vfork();
	if (pid == 0) {
		execve(argv[1], argv + 1, environ);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("exec %d\n", WEXITSTATUS(status));
	fflush(stdout);
	error = posix_spawn(&pid, argv[1], NULL, NULL, argv + 1, environ);
	if (error == 0)
		waitpid(pid, &status, 0);
	printf("spawn %d %d\n", error, WEXITSTATUS(status));
	return 0;
}
