/* SPDX-License-Identifier: MIT */
/*
 * victim-raw [elsewhere]: makes a child by the system call itself, in a new pid
 * namespace if asked for, which opens a file and exits with 3.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int flags = argc > 1 ? CLONE_NEWPID : 0, status;
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD | flags, 0, 0, 0, 0);

	(void)argv;
	if (pid == 0) {
		open("/dev/null", O_RDONLY);
		_exit(3);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
		       WEXITSTATUS(status) :
		       77;
}
