/* SPDX-License-Identifier: MIT */
/*
 * victim-leave HOW UID FIFO: becomes that user for good, and is still the same
 * program.  HOW it goes on: exit, with 4; kill: itself; child: makes one that
 * exits with 5, and one that it kills; orphan: ends, with 4, and leaves a child
 * that waits until somebody opens the fifo, and then makes one that exits with
 * 5, starts /bin/true and exits with 6; wait: says "ready", and waits for that,
 * too.  Not linked with libptrace.
 */
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(uid_t uid)
{
	if (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 ||
	    setresuid(uid, uid, uid) != 0) {
		perror("victim-leave");
		_exit(99);
	}
}

static void make(const char *program)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (program)
			execl(program, program, (char *)NULL);
		_exit(5);
	}
	waitpid(pid, NULL, 0);
}

/* One that is there before it is killed. */
static void make_and_kill(void)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready) != 0 || (pid = fork()) < 0)
		_exit(98);
	if (pid == 0) {
		(void)!write(ready[1], "", 1);
		for (;;)
			pause();
	}
	(void)!read(ready[0], &byte, 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void wait_for(const char *fifo)
{
	if (open(fifo, O_RDONLY) < 0)
		_exit(97);
}

static void orphan(const char *fifo)
{
	if (fork() != 0)
		_exit(4);
	wait_for(fifo);
	make(NULL);
	make("/bin/true");
	_exit(6);
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[1] : "";

	if (argc <= 3)
		return 96;
	become((uid_t)atoi(argv[2]));
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "orphan") == 0)
		orphan(argv[3]);
	if (strcmp(how, "wait") == 0) {
		(void)!write(1, "ready\n", 6);
		wait_for(argv[3]);
	}
	if (strcmp(how, "child") == 0) {
		make(NULL);
		make_and_kill();
	}
	return 4;
}
