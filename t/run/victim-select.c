/* SPDX-License-Identifier: MIT */
/*
 * victim-select FILE [COMMAND...]: calls with known results, in this process,
 * in a thread, in a child and in a signal handler; then the command.  Ends with
 * status 0 if each errno was as libc left it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MISSING "/nonexistent/missing.cfg"
#define NUMBER 77 /* of a descriptor */

static const char *file;
static volatile sig_atomic_t wrong;

static void expect(int is)
{
	if (!is)
		wrong = 1;
}

static void fail(void)
{
	struct stat status;

	errno = 0;
	expect(open(MISSING, O_RDONLY) < 0 && errno == ENOENT);
	errno = 0;
	expect(stat(MISSING, &status) < 0 && errno == ENOENT);
	errno = 0;
	expect(read(-1, &status, 1) < 0 && errno == EBADF);
	errno = 0;
	expect(fopen(MISSING, "r") == NULL && errno == ENOENT);
}

static void succeed(void)
{
	char bytes[4];
	int fd;

	errno = ERANGE;
	fd = open(file, O_RDONLY);
	expect(fd >= 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes));
	expect(access(file, R_OK) == 0);
	expect(dup2(fd, NUMBER) == NUMBER);
	expect(read(NUMBER, bytes, 1) == 1);
	expect(close(NUMBER) == 0 && close(fd) == 0);
	expect(errno == ERANGE);
}

static void take_long(void)
{
	expect(poll(NULL, 0, 60) == 0);
}

static void handle(int signo)
{
	int before = errno;

	(void)signo;
	fail();
	errno = before;
	succeed();
	errno = before;
}

static void *run(void *unused)
{
	(void)unused;
	fail();
	succeed();
	take_long();
	return NULL;
}

static void handle_one(void)
{
	struct sigaction action = {.sa_handler = handle};

	sigaction(SIGUSR1, &action, NULL);
	errno = EDOM;
	raise(SIGUSR1);
	expect(errno == EDOM);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int status = 1;
	pid_t child;

	if (argc < 2)
		return 2;
	file = argv[1];
	run(NULL);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0) {
		run(NULL);
		_exit(wrong);
	}
	waitpid(child, &status, 0);
	expect(status == 0);
	handle_one();
	if (wrong)
		return 1;
	if (argc > 2)
		execvp(argv[2], argv + 2);
	return argc > 2;
}
