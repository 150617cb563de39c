/* SPDX-License-Identifier: MIT */
/*
 * A program that makes what a traced one may make: threads, a handler, all
 * kinds of children, a library loaded, an exec.  It says what it sees, so that
 * nothing can change without being noticed, and ends with 7.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void say_result(const char *what, int result)
{
	dprintf(1, "%s: %d (%s)\n", what, result,
		result < 0 ? strerror(errno) : "");
}

static void *thread(void *arg)
{
	write(1, arg, strlen(arg));
	return NULL;
}

static void handle(int signo)
{
	(void)signo;
	write(1, "signal\n", 7);
}

static void say_status(const char *what, pid_t pid)
{
	int status = -1;

	if (pid < 0) {
		say_result(what, pid);
		return;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR) {
			say_result("waitpid", -1);
			return;
		}
	dprintf(1, "%s ended with %d\n", what, status);
}

/* What we hold: descriptors, blocked and pending signals, children. */
static void say_state(void)
{
	sigset_t mask, pending;

	sigemptyset(&mask);
	sigemptyset(&pending);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	sigpending(&pending);
	/* Where we have some for a moment, too. */
	for (int fd = 0; fd < 110; fd += fd == 19 ? 81 : 1)
		if (fcntl(fd, F_GETFD) >= 0)
			dprintf(1, "fd %d\n", fd);
	for (int signo = 1; signo < NSIG; signo++)
		if (sigismember(&mask, signo) == 1 ||
		    sigismember(&pending, signo) == 1)
			dprintf(1, "signal %d\n", signo);
	if (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD)
		dprintf(1, "a child\n");
}

static void start_threads(void)
{
	static char names[][8] = {"one\n", "two\n"};

	for (int i = 0; i < 2; i++) {
		pthread_t id;
		int error = pthread_create(&id, NULL, thread, names[i]);

		if (error == 0)
			pthread_join(id, NULL);
		dprintf(1, "pthread_create: %d\n", error);
	}
}

static void start_children(char *self)
{
	char spawned[] = "spawned", vforked[] = "vforked";
	char *argv[] = {self, spawned, NULL};
	pid_t pid = fork();

	if (pid == 0) {
		dprintf(1, "forked\n");
		say_state();
		_exit(3);
	}
	say_status("fork", pid);
	if (posix_spawn(&pid, self, NULL, NULL, argv, environ) != 0)
		pid = -1;
	say_status("spawn", pid);
	pid = vfork();
	if (pid == 0) {
		execl(self, self, vforked, NULL);
		_exit(127);
	}
	say_status("vfork", pid);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle};
	char execed[] = "execed";

	if (argc > 1) {
		dprintf(1, "%s\n", argv[1]);
		say_state();
		return 7;
	}
	dprintf(1, "begin\n");
	dprintf(2, "an error\n");
	say_state();
	start_threads();
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	start_children(argv[0]);
	dprintf(1, "dlopen: %d\n", dlopen("libm.so.6", RTLD_NOW) != NULL);
	say_state();
	execl(argv[0], argv[0], execed, NULL);
	say_result("exec", -1);
	return 8;
}
