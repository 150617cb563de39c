/* SPDX-License-Identifier: MIT */
/*
 * Prints what a program can inherit: ignored and blocked signals, descriptors,
 * and whether it has children it did not make.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

int main(void)
{
	sigset_t blocked;

	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (int i = 1; i < NSIG; i++) {
		struct sigaction action;

		if (sigismember(&blocked, i) == 1)
			printf("blocked %d\n", i);
		if (sigaction(i, NULL, &action) == 0 &&
		    action.sa_handler == SIG_IGN)
			printf("ignored %d\n", i);
	}
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("open %d\n", fd);
	if (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD)
		printf("has children\n");
	return 0;
}
