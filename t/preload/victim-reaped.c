/* SPDX-License-Identifier: MIT */
/* Reaps killed children in each way there is, and prints what it was told. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t killed(void)
{
	pid_t pid = fork();

	if (pid == 0)
		kill(getpid(), SIGKILL);
	return pid;
}

static void tell(const char *how, int is_right)
{
	printf("%s %s\n", how, is_right ? "right" : "wrong");
}

int main(void)
{
	struct rusage usage;
	siginfo_t info;
	int status = 0;
	pid_t pid;

	pid = killed();
	tell("wait", wait(&status) == pid && status == SIGKILL);
	pid = killed();
	tell("waitpid", waitpid(pid, NULL, 0) == pid);
	pid = killed();
	tell("wait3", wait3(&status, 0, &usage) == pid && status == SIGKILL);
	pid = killed();
	tell("wait4", wait4(pid, NULL, 0, &usage) == pid);
	pid = killed();
	memset(&info, 0, sizeof(info));
	tell("waitid that leaves it there",
	     waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0 &&
		     info.si_pid == pid && info.si_code == CLD_KILLED);
	tell("waitid", waitid(P_PID, (id_t)pid, &info, WEXITED) == 0 &&
			       info.si_status == SIGKILL);
	pid = killed();
	tell("waitid without a place",
	     waitid(P_PID, (id_t)pid, NULL, WEXITED) == 0);
	tell("none is left", waitpid(-1, &status, 0) == -1);
	return 0;
}
