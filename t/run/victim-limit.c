/* SPDX-License-Identifier: MIT */
/*
 * victim-limit FILES PROGRAM: with so few descriptors left, PROGRAM is run by
 * vfork and exec, posix_spawn, fork and exec, and exec alone.
 */
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	struct rlimit limit;
	pid_t pid;

	if (argc != 3)
		return 2;
	limit.rlim_cur = limit.rlim_max = (rlim_t)atoi(argv[1]);
	if (closefrom(3), setrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 2;
	pid = vfork();
	if (pid == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0)
		return 2;
	waitpid(pid, NULL, 0);
	pid = fork();
	if (pid == 0) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	execv(argv[2], argv + 2);
	return 2;
}
