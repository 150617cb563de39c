/* SPDX-License-Identifier: MIT */
/*
 * victim-tree-vfork N: N times each, vfork with exec, with exec that fails and
 * _exit, with _exit alone, and with exec that fails and a signal.  Not linked
 * with libptrace.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(int how)
{
	switch (how) {
	case 0:
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	case 1:
		execl("/no/such/program", "program", (char *)NULL);
		_exit(2);
	case 2:
		_exit(3);
	default:
		execl("/no/such/program", "program", (char *)NULL);
		kill(getpid(), SIGKILL);
	}
}

static int make_child(int how)
{
	pid_t pid = vfork();

	if (pid == 0)
		child(how);
	return waitpid(pid, NULL, 0) == pid;
}

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) * 4 : 0; i > 0; i--)
		if (!make_child(i % 4))
			return 1;
	return 0;
}
