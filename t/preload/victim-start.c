/* SPDX-License-Identifier: MIT */
/* victim-start PROGRAM: forks, and the child executes it. */
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status = 0;
	pid_t pid = argc > 1 ? fork() : -1;

	if (pid == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}
