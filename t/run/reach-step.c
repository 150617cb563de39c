/* SPDX-License-Identifier: MIT */
/*
 * A handler of a signal after each instruction of a system call makes one of
 * its own, on the stack that it comes to and on another; in the first thread
 * and in a further one.  All calls fail as they should.  For reach-step.t.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define TRAP_FLAG 0x100

static volatile int steps, wrong;

static int fails(const char *path)
{
	errno = 0;
	return access(path, F_OK) == -1 && errno == ENOENT;
}

static void handler(int sig, siginfo_t *info, void *context)
{
	int error = errno;

	(void)sig, (void)info, (void)context;
	steps++;
	wrong += !fails("/in-handler");
	errno = error;
}

static int cannot_execute(const char *path)
{
	char *nothing[] = {NULL};

	errno = 0;
	return execve(path, nothing, nothing) == -1 && errno == ENOENT;
}

static void step_through(int (*fn)(const char *path))
{
	__asm__ volatile("sub $128, %%rsp\n\t"
			 "pushfq\n\t"
			 "orl %0, (%%rsp)\n\t"
			 "popfq\n\t"
			 "add $128, %%rsp"
			 :
			 : "i"(TRAP_FLAG)
			 : "memory", "cc");
	wrong += !fn("/stepped");
	__asm__ volatile("sub $128, %%rsp\n\t"
			 "pushfq\n\t"
			 "andl %0, (%%rsp)\n\t"
			 "popfq\n\t"
			 "add $128, %%rsp"
			 :
			 : "i"(~TRAP_FLAG)
			 : "memory", "cc");
}

static void *step(void *what)
{
	static char room[2][65536];
	static int nr;
	stack_t stack = {.ss_sp = room[nr], .ss_size = sizeof(room[nr])};
	struct sigaction action = {.sa_sigaction = handler,
				   .sa_flags = SA_SIGINFO};

	nr++;
	sigaltstack(&stack, NULL);
	for (int flag = 0; flag <= SA_ONSTACK; flag += SA_ONSTACK) {
		action.sa_flags = SA_SIGINFO | flag;
		sigaction(SIGTRAP, &action, NULL);
		steps = wrong = 0;
		step_through(fails);
		step_through(cannot_execute);
		printf("%s, %s: %d wrong%s\n", (const char *)what,
		       flag ? "another stack" : "its stack", wrong,
		       steps > 30 ? "" : ", no steps");
		fflush(stdout);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	step("the first thread");
	pthread_create(&thread, NULL, step, "a thread");
	pthread_join(thread, NULL);
	return 0;
}
