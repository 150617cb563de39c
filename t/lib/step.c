/* SPDX-License-Identifier: MIT */
#include "t/lib/step.h"

#include "t/lib/tap.h"

#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)

#define TRAP_FLAG 0x100

static __thread int (*call)(long n);
static __thread long nr;

static void handler(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	(void)info;
	if (!call || !call(++nr))
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

void step_needed(void)
{
	if (under_valgrind() || under_tsan())
		skip_all("every step of valgrind's or ThreadSanitizer's, too");
}

static void install(int (*at)(long n))
{
	struct sigaction action = {.sa_sigaction = handler,
				   .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaction(SIGTRAP, &action, NULL);
	nr = 0;
	call = at;
}

void step_from(void *context, int (*at)(long n))
{
	ucontext_t *uc = context;

	install(at);
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

void step_end(void)
{
	call = NULL;
	/* One more step, and the flag is gone. */
	__asm__ volatile("nop\n\tnop" : : : "memory");
}

long step_through(void (*fn)(void), int (*at)(long n))
{
	install(at);
	/* Steps over the red zone. */
	__asm__ volatile("sub $128, %%rsp\n\t"
			 "pushfq\n\t"
			 "orl %0, (%%rsp)\n\t"
			 "popfq\n\t"
			 "add $128, %%rsp"
			 :
			 : "i"(TRAP_FLAG)
			 : "memory", "cc");
	fn();
	step_end();
	return nr;
}

#else

void step_needed(void)
{
	skip_all("single steps are made on x86_64 only");
}

long step_through(void (*fn)(void), int (*at)(long n))
{
	(void)fn;
	(void)at;
	return 0;
}

void step_from(void *context, int (*at)(long n))
{
	(void)context;
	(void)at;
}

void step_end(void)
{
}

#endif

pid_t step_child;
static long fork_at;

void step_fork_after(long after)
{
	fork_at = after;
	step_child = -1;
}

int step_fork(long n)
{
	if (n != fork_at)
		return 1;
	step_child = fork();
	return 0;
}

int step_forked(int *failed)
{
	int status;

	if (step_child < 0)
		return 0;
	waitpid(step_child, &status, 0);
	if (status && (*failed)++ < 5)
		diag("after %ld: status %#x", fork_at, status);
	return 1;
}

void step_here(void)
{
	/* The second call fails, since it is traced already. */
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
}

int step_await(const struct proc *p)
{
	siginfo_t info = {.si_pid = 0};

	/* A process that may not be traced has stopped like any other. */
	return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WSTOPPED) == 0 &&
	       info.si_code == CLD_TRAPPED;
}

int step_on(const struct proc *p, int request)
{
	int status;

	return ptrace(request, p->pid, NULL, NULL) == 0 &&
	       waitpid(p->pid, &status, 0) == p->pid && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == SIGTRAP;
}

int step_finish(struct proc *p)
{
	siginfo_t info;

	do
		ptrace(PTRACE_CONT, p->pid, NULL, NULL);
	while (waitid(P_PID, (id_t)p->pid, &info,
		      WEXITED | WSTOPPED | WNOWAIT) == 0 &&
	       info.si_code == CLD_TRAPPED);
	return proc_wait(p);
}
