/* SPDX-License-Identifier: MIT */
/* Programs that send, catch, block and leave handlers of signals. */
#include "t/table/table.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int count;
static sigjmp_buf back;
static int *volatile nowhere = (int *)8;

static void tick(int sig)
{
	(void)sig;
	count++;
}

static void info(int sig, siginfo_t *si, void *context)
{
	(void)context;
	say("signal %d, code %d, from me: %d, value %d", sig, si->si_code,
	    si->si_pid == getpid(),
	    si->si_code == SI_QUEUE ? si->si_value.sival_int : 0);
}

static void on_info(int sig, int flags)
{
	struct sigaction action = {.sa_sigaction = info};

	action.sa_flags = SA_SIGINFO | flags;
	sigaction(sig, &action, NULL);
}

static int senders(void)
{
	union sigval value = {.sival_int = 42};

	on_info(SIGUSR1, 0);
	on_info(SIGRTMIN + 1, 0);
	said("raise", raise(SIGUSR1));
	said("kill", kill(getpid(), SIGUSR1));
	said("pthread_kill", pthread_kill(pthread_self(), SIGUSR1));
	said("tgkill", tgkill(getpid(), gettid(), SIGUSR1));
	said("sigqueue", sigqueue(getpid(), SIGRTMIN + 1, value));
	said("pthread_sigqueue",
	     pthread_sigqueue(pthread_self(), SIGRTMIN + 1, value));
	said("syscall(SYS_tkill)", syscall(SYS_tkill, gettid(), SIGUSR1));
	said("syscall(SYS_kill)", syscall(SYS_kill, getpid(), SIGUSR1));
	said("kill 0", kill(getpid(), 0));
	said("kill 99", kill(getpid(), 99));
	said("raise 99", raise(99));
	say_error("pthread_kill 99", pthread_kill(pthread_self(), 99));
	said("killpg", killpg(1 << 29, SIGUSR1));
	said("kill nobody", kill(1 << 29, SIGUSR1));
	return 0;
}

static void *raise_one(void *arg)
{
	raise(SIGUSR1);
	return arg;
}

static int raise_while_starting(void)
{
	on_signal(SIGUSR1, tick);
	for (int i = 0; i < 50; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, raise_one, NULL);
		raise(SIGUSR1);
		raise(SIGUSR1);
		pthread_join(thread, NULL);
	}
	say("done");
	return 0;
}

static void *wait_told(void *arg)
{
	while (count == 0)
		sched_yield();
	return arg;
}

static int kill_starting(void)
{
	on_signal(SIGUSR1, tick);
	for (int i = 0; i < 50; i++) {
		pthread_t thread;

		count = 0;
		pthread_create(&thread, NULL, wait_told, NULL);
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
	say("done");
	return count;
}

static void *nothing(void *arg)
{
	return arg;
}

static void jump(int sig)
{
	siglongjmp(back, sig);
}

/* Each thread begins with five signals pending. */
static int pending_at_start(void)
{
	sigset_t set, old;

	for (int sig = SIGRTMIN; sig < SIGRTMIN + 5; sig++)
		on_signal(sig, tick);
	for (int i = 0; i < 20; i++) {
		pthread_attr_t attr;
		pthread_t thread;

		sigfillset(&set);
		pthread_sigmask(SIG_BLOCK, &set, &old);
		for (int sig = SIGRTMIN; sig < SIGRTMIN + 5; sig++)
			kill(getpid(), sig);
		pthread_attr_init(&attr);
		pthread_attr_setsigmask_np(&attr, &old);
		pthread_create(&thread, &attr, nothing, NULL);
		pthread_join(thread, NULL);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	say("count: %d", count);
	return 0;
}

static int segv_longjmp(void)
{
	volatile int nr = 0;

	on_signal(SIGSEGV, jump);
	for (volatile int i = 0; i < 100; i++) {
		if (sigsetjmp(back, 1) == 0)
			*(volatile int *)nowhere = 1;
		else
			nr++;
	}
	say("faults: %d", nr);
	return 0;
}

static void jump_deep(int sig)
{
	raise(0);
	getppid();
	if (count++ < 3)
		raise(SIGUSR2);
	siglongjmp(back, sig);
}

static int nested_longjmp(void)
{
	volatile int nr = 0;
	struct sigaction action = {.sa_handler = jump_deep};

	action.sa_flags = SA_NODEFER;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	for (volatile int i = 0; i < 50; i++) {
		count = 0;
		if (sigsetjmp(back, 1) == 0)
			raise(SIGUSR1);
		else
			nr++;
	}
	say("jumps: %d", nr);
	return 0;
}

static int faults(void)
{
	static const int signals[] = {SIGFPE, SIGILL, SIGTRAP, SIGBUS, SIGSEGV};

	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			switch (signals[i]) {
			case SIGFPE:
				_exit(1 / *(volatile int *)&count);
			case SIGILL:
				__builtin_trap();
			case SIGTRAP:
				__asm__ volatile("int3");
				break;
			case SIGBUS:
				raise(SIGBUS);
				break;
			default:
				*(volatile int *)nowhere = 1;
			}
			_exit(0);
		}
		say_end("child", pid);
	}
	return 0;
}

static void show_fault(int sig, siginfo_t *si, void *context)
{
	(void)context;
	say("signal %d, code %d, address %lx", sig, si->si_code,
	    (unsigned long)si->si_addr);
	siglongjmp(back, 1);
}

static int fault_info(void)
{
	struct sigaction action = {.sa_sigaction = show_fault};
	char *page =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	action.sa_flags = SA_SIGINFO;
	sigaction(SIGSEGV, &action, NULL);
	if (sigsetjmp(back, 1) == 0)
		*(volatile int *)0x1238 = 1;
	if (sigsetjmp(back, 1) == 0)
		*(volatile long *)0x1234567812345678 = 1;
	action.sa_flags |= SA_RESETHAND;
	sigaction(SIGSEGV, &action, NULL);
	if (sigsetjmp(back, 1) == 0)
		*(volatile int *)0x1248 = 1;
	*(volatile char *)page = 1;
	return 0;
}

static void skip(int sig, siginfo_t *si, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	(void)si;
	/* movb $1, (%rax) */
	u->uc_mcontext.gregs[REG_RIP] += 3;
	u->uc_mcontext.gregs[REG_RBX] = 77;
	count++;
}

static int change_context(void)
{
	struct sigaction action = {.sa_sigaction = skip};
	long rbx = 0;

	action.sa_flags = SA_SIGINFO;
	sigaction(SIGSEGV, &action, NULL);
	__asm__ volatile("movb $1, (%%rax)" : "=b"(rbx) : "a"(8L), "b"(0L));
	say("rbx: %ld, count: %d", rbx, count);
	return 0;
}

static void block_more(int sig, siginfo_t *si, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	(void)si;
	sigaddset(&u->uc_sigmask, SIGUSR2);
}

static int change_mask(void)
{
	struct sigaction action = {.sa_sigaction = block_more};
	sigset_t set;

	action.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sigprocmask(SIG_BLOCK, NULL, &set);
	say("blocked: %d", sigismember(&set, SIGUSR2));
	return 0;
}

static void say_mask(const char *what)
{
	char bits[66] = "";
	sigset_t set;

	pthread_sigmask(SIG_BLOCK, NULL, &set);
	for (int sig = 1; sig < 65; sig++)
		bits[sig - 1] = sigismember(&set, sig) == 1 ? '1' : '.';
	say("%s: %s", what, bits);
}

static void show_mask(int sig)
{
	(void)sig;
	say_mask("handler");
}

static void *mask_of_thread(void *arg)
{
	say_mask("thread");
	return arg;
}

static int mask_of_child(void)
{
	say_mask("child");
	return 0;
}

static int masks(void)
{
	struct sigaction action = {.sa_handler = show_mask};
	pthread_t thread;
	sigset_t set;

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	action.sa_flags = SA_NODEFER;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	say_mask("after");
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	say_mask("all");
	pthread_create(&thread, NULL, mask_of_thread, NULL);
	pthread_join(thread, NULL);
	try_child("child", mask_of_child);
	say_status("system", system("kill -TERM $$"));
	say_mask("at the end");
	return 0;
}

static void say_action(int sig)
{
	struct sigaction action;

	if (sigaction(sig, NULL, &action) != 0) {
		said("sigaction", -1);
		return;
	}
	say("%d: %s, flags %x, mask %d%d", sig,
	    action.sa_handler == SIG_DFL   ? "default" :
	    action.sa_handler == SIG_IGN   ? "ignored" :
	    action.sa_handler == tick	   ? "tick" :
	    action.sa_handler == show_mask ? "show" :
					     "another",
	    (unsigned int)action.sa_flags, sigismember(&action.sa_mask, SIGHUP),
	    sigismember(&action.sa_mask, sig));
}

static int actions(void)
{
	struct sigaction action = {.sa_handler = tick};
	static const int flags[] = {0,
				    SA_RESTART,
				    SA_NODEFER,
				    SA_RESETHAND,
				    SA_ONSTACK,
				    SA_NOCLDWAIT,
				    SA_NOCLDSTOP,
				    SA_SIGINFO,
				    SA_RESTART | 0x800};

	for (int i = 0; i < 9; i++) {
		action.sa_flags = flags[i];
		sigaddset(&action.sa_mask, SIGHUP);
		said("set", sigaction(SIGUSR1, &action, NULL));
		say_action(SIGUSR1);
	}
	say("signal: %d", signal(SIGUSR1, show_mask) == tick);
	say_action(SIGUSR1);
	say("sysv_signal: %d", sysv_signal(SIGUSR1, tick) == show_mask);
	say_action(SIGUSR1);
	raise(SIGUSR1);
	say_action(SIGUSR1);
	say("siginterrupt: %d", siginterrupt(SIGUSR1, 1));
	say_action(SIGUSR1);
	say("ignored: %d", signal(SIGUSR1, SIG_IGN) == SIG_DFL);
	say_action(SIGUSR1);
	said("sigignore", sigignore(SIGUSR2));
	say_action(SIGUSR2);
	said("SIGKILL", sigaction(SIGKILL, &action, NULL));
	said("SIGSTOP", signal(SIGSTOP, tick) == SIG_ERR ? -1 : 0);
	said("32", sigaction(32, &action, NULL));
	said("0", sigaction(0, &action, NULL));
	said("65", sigaction(65, NULL, &action));
	for (int sig = 1; sig < 65; sig++)
		say_action(sig);
	return count;
}

static int system_v(void)
{
	say("sigset: %d", sigset(SIGUSR1, tick) == SIG_DFL);
	raise(SIGUSR1);
	say("hold: %d", sigset(SIGUSR1, SIG_HOLD) == tick);
	say_mask("held");
	raise(SIGUSR1);
	say("count: %d", count);
	say("again: %d", sigset(SIGUSR1, tick) == SIG_HOLD);
	say("count: %d", count);
	said("sighold", sighold(SIGUSR2));
	said("sigrelse", sigrelse(SIGUSR2));
	say_mask("released");
	say_action(SIGUSR1);
	return count;
}

struct kernel_action {
	void *handler;
	unsigned long flags;
	void *restorer;
	unsigned long mask;
};

/* What the bare call changes libc's shows, and the other way round. */
static int bare_action(void)
{
	struct kernel_action action = {0};

	on_signal(SIGUSR1, tick);
	said("get", syscall(SYS_rt_sigaction, SIGUSR1, NULL, &action, 8));
	say("restorer: %d, flags %lx, mask %lx", action.restorer != NULL,
	    action.flags, action.mask);
	say("handler: %d", action.handler == (void *)tick);
	action.mask = 1 << (SIGHUP - 1);
	action.handler = (void *)show_mask;
	said("set", syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, 8));
	say_action(SIGUSR1);
	raise(SIGUSR1);
	said("size", syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, 4));
	action.handler = SIG_DFL;
	said("set", syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, 8));
	say_action(SIGUSR1);
	raise(SIGUSR1);
	return 0;
}

static int once_only(void)
{
	struct sigaction action = {.sa_handler = tick};

	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	say("count: %d", count);
	say_action(SIGUSR1);
	raise(SIGUSR1);
	say("not reached");
	return 0;
}

static int queue(void)
{
	sigset_t set, old;
	union sigval value;

	on_info(SIGRTMIN + 2, 0);
	on_info(SIGRTMIN + 3, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 2);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, &old);
	for (int i = 0; i < 6; i++) {
		value.sival_int = i;
		sigqueue(getpid(), SIGRTMIN + 2 + i % 2, value);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return 0;
}

static int waiting(void)
{
	struct timespec none = {0, 0};
	siginfo_t si;
	sigset_t set;
	int sig = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	said("sigtimedwait", sigtimedwait(&set, &si, &none));
	raise(SIGUSR1);
	said("sigwait", sigwait(&set, &sig));
	say("signal: %d", sig);
	sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 9});
	said("sigwaitinfo", sigwaitinfo(&set, &si));
	say("code %d, value %d", si.si_code, si.si_value.sival_int);
	kill(getpid(), SIGUSR1);
	said("sigtimedwait", sigtimedwait(&set, NULL, &none));
	none.tv_nsec = -1;
	said("bad time", sigtimedwait(&set, NULL, &none));
	sigpending(&set);
	say("pending: %d", sigismember(&set, SIGUSR1));
	return 0;
}

static void *alt_main(void *arg)
{
	stack_t stack = {0}, old = {0};
	size_t size = getauxval(AT_MINSIGSTKSZ) + 8192;

	sigaltstack(NULL, &old);
	say("flags %x, size %zu", (unsigned int)old.ss_flags, old.ss_size);
	stack.ss_sp = malloc(size);
	stack.ss_size = size;
	said("set", sigaltstack(&stack, NULL));
	raise(SIGUSR1);
	sigaltstack(NULL, &old);
	say("flags %x, mine: %d", (unsigned int)old.ss_flags,
	    old.ss_sp == stack.ss_sp);
	stack.ss_flags = SS_DISABLE;
	said("disable", sigaltstack(&stack, NULL));
	raise(SIGUSR1);
	stack.ss_flags = 0;
	stack.ss_size = 100;
	said("small", sigaltstack(&stack, NULL));
	stack.ss_size = size;
	stack.ss_flags = (int)(1U << 31);
	said("autodisarm", sigaltstack(&stack, NULL));
	raise(SIGUSR1);
	sigaltstack(NULL, &old);
	say("flags %x", (unsigned int)old.ss_flags);
	stack.ss_flags = SS_DISABLE;
	said("disable", sigaltstack(&stack, NULL));
	free(stack.ss_sp);
	return arg;
}

static void show_stack(int sig)
{
	stack_t old = {0}, none = {.ss_flags = SS_DISABLE};

	sigaltstack(NULL, &old);
	say("in the handler: flags %x, on it: %d", (unsigned int)old.ss_flags,
	    (char *)&sig >= (char *)old.ss_sp &&
		    (char *)&sig < (char *)old.ss_sp + old.ss_size);
	if (old.ss_flags & SS_ONSTACK)
		said("change", sigaltstack(&none, NULL));
}

static int alternate(void)
{
	struct sigaction action = {.sa_handler = show_stack};
	pthread_t thread;

	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
	alt_main(NULL);
	pthread_create(&thread, NULL, alt_main, NULL);
	pthread_join(thread, NULL);
	return 0;
}

static int abort_caught(void)
{
	on_signal(SIGABRT, tick);
	abort();
}

static int abort_left(void)
{
	on_signal(SIGABRT, jump);
	if (sigsetjmp(back, 1) == 0)
		abort();
	say("left");
	return 4;
}

static int abort_ignored(void)
{
	signal(SIGABRT, SIG_IGN);
	abort();
}

static int deadly(void)
{
	static const int signals[] = {SIGHUP,  SIGINT,	SIGQUIT,
				      SIGTERM, SIGPIPE, SIGUSR1,
				      SIGKILL, SIGALRM, 34};

	for (int i = 0; i < 9; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			raise(signals[i]);
			_exit(0);
		}
		say_end("child", pid);
	}
	return 0;
}

static void nest(int sig)
{
	if (sig < SIGRTMIN + 10)
		raise(sig + 1);
	say("left %d", sig - SIGRTMIN);
}

static int nested(void)
{
	for (int sig = SIGRTMIN; sig <= SIGRTMIN + 10; sig++)
		on_signal(sig, nest);
	raise(SIGRTMIN);
	return 0;
}

static void *suspend(void *arg)
{
	sigset_t none;

	sigemptyset(&none);
	while (count < 3)
		sigsuspend(&none);
	return arg;
}

static int suspended(void)
{
	pthread_t thread;
	sigset_t set;

	on_signal(SIGUSR1, tick);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, suspend, NULL);
	while (count < 3)
		pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	say("done");
	return 0;
}

static int many_actions(void)
{
	for (int i = 0; i < 1000; i++) {
		on_signal(SIGUSR1, i % 2 ? tick : show_mask);
		on_signal(SIGUSR1, tick);
		raise(SIGUSR1);
	}
	return count == 1000;
}

const struct program signal_programs[] = {
	{"senders", senders, false},
	{"raise-while-starting", raise_while_starting, false},
	{"kill-starting", kill_starting, false},
	{"pending-at-start", pending_at_start, false},
	{"segv-longjmp", segv_longjmp, false},
	{"nested-longjmp", nested_longjmp, false},
	{"faults", faults, false},
	{"fault-info", fault_info, false},
	{"change-context", change_context, false},
	{"change-mask", change_mask, false},
	{"masks", masks, false},
	{"actions", actions, false},
	{"system-v", system_v, false},
	{"bare-action", bare_action, false},
	{"once-only", once_only, false},
	{"queue", queue, false},
	{"waiting", waiting, false},
	{"alternate-stack", alternate, false},
	{"abort-caught", abort_caught, false},
	{"abort-left", abort_left, false},
	{"abort-ignored", abort_ignored, false},
	{"deadly", deadly, false},
	{"nested", nested, false},
	{"suspended", suspended, false},
	{"many-actions", many_actions, false},
	{NULL, NULL, false},
};
