/* SPDX-License-Identifier: MIT */
/*
 * victim-churn NR AT-ONCE [LAST]: makes so many children, so many of them at
 * once; every tenth executes true(1).  LAST: when the kernel has come so far,
 * it is to give away the same numbers again.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int gate[2];

static _Noreturn void child(int n, int wait)
{
	char byte;

	close(gate[1]);
	if (wait)
		(void)!read(gate[0], &byte, 1);
	if (n % 10 == 0)
		execlp("true", "true", (char *)NULL);
	_exit(n % 7);
}

static int begin_again(void)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
	int failed = fd < 0 || write(fd, "20", 2) != 2;

	if (fd >= 0)
		close(fd);
	return failed;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 0, made = 0, live = 0, status;
	int at_once = argc > 2 ? atoi(argv[2]) : 1;
	int last = argc > 3 ? atoi(argv[3]) : 0;
	pid_t pid = 0;

	if (pipe(gate))
		return 1;
	while (made < nr || live > 0) {
		while (made < nr && live < at_once) {
			if (last && pid > last && begin_again())
				return 77;
			pid = fork();
			if (pid < 0)
				return 2;
			if (pid == 0)
				child(made, made < at_once);
			live++;
			/* All that there can be are there. */
			if (++made == at_once)
				close(gate[1]);
		}
		if (wait(&status) < 0 || !WIFEXITED(status))
			return 3;
		live--;
	}
	return 0;
}
