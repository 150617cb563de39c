/* SPDX-License-Identifier: MIT */
/* A pager for standard output; see pager.h. */
#include "tools/dump/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager;

static void __attribute__((noreturn)) become(const char *command)
{
	signal(SIGPIPE, SIG_DFL);
	setenv("LESS", "FRX", 0);
	if (command != NULL)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	else
		execlp("less", "less", "-FRX", (char *)NULL);
	execlp("cat", "cat", (char *)NULL);
	_exit(127);
}

void ptl_pager_begin(void)
{
	const char *command = getenv("PAGER");
	int ends[2];

	if (command != NULL &&
	    (*command == '\0' || strcmp(command, "cat") == 0))
		return;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	pager = fork();
	if (pager == 0) {
		dup2(ends[0], STDIN_FILENO);
		become(command);
	}
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		/* SIGINT is for the pager, which uses our terminal. */
		signal(SIGINT, SIG_IGN);
	}
	close(ends[0]);
	close(ends[1]);
}

void ptl_pager_end(void)
{
	if (pager <= 0)
		return;
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		continue;
	pager = 0;
}
