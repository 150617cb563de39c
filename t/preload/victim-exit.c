/* SPDX-License-Identifier: MIT */
/* victim-exit HOW: ends in that way, with status 3 where there is one. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *end_last(void *arg)
{
	(void)arg;
	usleep(20000);
	return NULL;
}

static void say(void)
{
	puts("handler");
	fflush(stdout);
}

__attribute__((destructor)) static void leave(void)
{
	puts("destructor");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";
	pthread_t id;

	atexit(say);
	at_quick_exit(say);
	if (strcmp(how, "exit") == 0)
		exit(3);
	if (strcmp(how, "_exit") == 0)
		_exit(3);
	if (strcmp(how, "_Exit") == 0)
		_Exit(3);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(3);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(how, "bare") == 0)
		syscall(SYS_exit_group, 3);
	if (strcmp(how, "thread") == 0) {
		pthread_create(&id, NULL, end_last, NULL);
		pthread_exit(NULL);
	}
	if (strcmp(how, "daemon") == 0) {
		if (daemon(1, 1) != 0)
			return 9;
		_exit(5);
	}
	return 3;
}
