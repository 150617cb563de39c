/* SPDX-License-Identifier: MIT */
/*
 * victim-signal HOW: handlers of all kinds, and what the program is told of
 * them.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t count, depth, deepest;
static sigjmp_buf env;

static void simple(int signo)
{
	(void)signo;
	count++;
}

static void other(int signo)
{
	(void)signo;
	count += 1000;
}

static void informed(int signo, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	if (info->si_signo == signo && info->si_pid == getpid() && uc)
		count += info->si_value.sival_int;
	errno = 77;
}

static struct sigaction with(void (*handler)(int), int flags)
{
	struct sigaction act;

	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	act.sa_flags = flags;
	sigaddset(&act.sa_mask, SIGUSR2);
	return act;
}

static const char *name_of(void (*handler)(int))
{
	if (handler == SIG_DFL)
		return "SIG_DFL";
	if (handler == SIG_IGN)
		return "SIG_IGN";
	if (handler == SIG_ERR)
		return "SIG_ERR";
	if (handler == simple)
		return "simple";
	if (handler == other)
		return "other";
	if ((void *)handler == (void *)informed)
		return "informed";
	return "?";
}

static void told(int signo)
{
	struct sigaction act;

	if (sigaction(signo, NULL, &act) != 0)
		printf("errno %d\n", errno);
	else
		printf("%s flags %x mask %d %d\n", name_of(act.sa_handler),
		       (unsigned int)act.sa_flags,
		       sigismember(&act.sa_mask, SIGUSR1),
		       sigismember(&act.sa_mask, SIGUSR2));
}

/* Old ways too. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#pragma GCC diagnostic ignored "-Wrestrict"

/* What is set is what is told, by each way of setting. */
static void identity(void)
{
	struct sigaction act = with(simple, SA_RESTART), old;

	sigaction(SIGUSR1, &act, &old);
	printf("was %s\n", name_of(old.sa_handler));
	told(SIGUSR1);
	/* In and out may be the same. */
	act = with(NULL, SA_SIGINFO | SA_NODEFER);
	act.sa_sigaction = informed;
	sigaction(SIGUSR1, &act, &act);
	printf("was %s\n", name_of(act.sa_handler));
	told(SIGUSR1);
	printf("signal: %s\n", name_of(signal(SIGUSR1, other)));
	told(SIGUSR1);
	printf("ssignal: %s\n", name_of(ssignal(SIGUSR1, SIG_IGN)));
	printf("sysv_signal: %s\n", name_of(sysv_signal(SIGUSR1, simple)));
	told(SIGUSR1);
	printf("sigset: %s\n", name_of(sigset(SIGUSR1, other)));
	printf("sigset: %s\n", name_of(sigset(SIGUSR1, SIG_HOLD)));
	printf("sigset: %s\n", name_of(sigset(SIGUSR1, SIG_DFL)));
	told(SIGUSR1);
	printf("siginterrupt: %d\n", siginterrupt(SIGUSR1, 1));
	errno = 0;
	printf("signal 0: %d", sigaction(0, &act, NULL));
	printf(" %d\n", errno);
	printf("signal 65: %s", name_of(signal(65, simple)));
	printf(" %d\n", errno);
	printf("SIGKILL: %s", name_of(signal(SIGKILL, simple)));
	printf(" %d\n", errno);
}

/* Many signals, each of which arrives before the next is sent. */
static void counted(void)
{
	struct sigaction act = with(simple, 0);
	union sigval value = {.sival_int = 5};

	sigaction(SIGUSR1, &act, NULL);
	for (int i = 0; i < 1000; i++)
		kill(getpid(), SIGUSR1);
	printf("kill %d\n", (int)count);
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	printf("raise %d\n", (int)count);
	for (int i = 0; i < 10; i++)
		pthread_kill(pthread_self(), SIGUSR1);
	tgkill(getpid(), gettid(), SIGUSR1);
	printf("threads %d\n", (int)count);
	act = with(NULL, SA_SIGINFO);
	act.sa_sigaction = informed;
	sigaction(SIGUSR2, &act, NULL);
	count = 0;
	sigqueue(getpid(), SIGUSR2, value);
	pthread_sigqueue(pthread_self(), SIGUSR2, value);
	printf("sigqueue %d errno %d\n", (int)count, errno);
	printf("nobody %d", kill(0x7ffffff0, SIGUSR1));
	printf(" errno %d\n", errno);
}

static void jump(int signo)
{
	siglongjmp(env, signo);
}

static void nest(int signo)
{
	if (++depth > deepest)
		deepest = depth;
	if (depth < 5)
		raise(signo);
	depth--;
}

static void change(int signo)
{
	signal(signo, simple);
	count += 100;
}

static void flags(void)
{
	struct sigaction act = with(jump, 0);
	volatile int jumps = 0;

	sigaction(SIGUSR1, &act, NULL);
	while (sigsetjmp(env, 1) != 0 || jumps < 1)
		if (jumps++ < 100)
			raise(SIGUSR1);
	printf("jumps %d\n", jumps);

	act = with(simple, (int)SA_RESETHAND);
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
	printf("reset: %d ", (int)count);
	told(SIGUSR1);

	act = with(nest, SA_NODEFER);
	sigaction(SIGUSR1, &act, NULL);
	raise(SIGUSR1);
	printf("nested %d\n", (int)deepest);

	count = 0;
	signal(SIGUSR1, change);
	raise(SIGUSR1);
	raise(SIGUSR1);
	printf("changed in itself %d\n", (int)count);
}

static char *fault_page;

static void repair(int signo, siginfo_t *info, void *context)
{
	char here;

	(void)signo, (void)context;
	count++;
	if (info->si_addr == fault_page + 100)
		mprotect(fault_page, 4096, PROT_READ | PROT_WRITE);
	deepest = &here < fault_page ? 1 : 0;
}

/* A handler on a stack of its own that repairs what faulted. */
static void faults(void)
{
	static char stack[8192];
	stack_t ss = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction act = with(NULL, SA_SIGINFO | SA_ONSTACK);

	act.sa_sigaction = repair;
	fault_page =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&ss, NULL);
	sigaction(SIGSEGV, &act, NULL);
	for (int i = 0; i < 50; i++) {
		mprotect(fault_page, 4096, PROT_READ);
		((volatile char *)fault_page)[100] = 1;
	}
	printf("faults %d\n", (int)count);
}

static void children(void)
{
	static char text[3][32] = {"/bin/sh", "-c", "kill -USR1 $$; exit 3"};
	char *const argv[] = {text[0], text[1], text[2], NULL};
	int status;
	pid_t pid;

	signal(SIGUSR1, simple);
	if ((pid = fork()) == 0) {
		raise(SIGUSR1);
		_exit(count);
	}
	waitpid(pid, &status, 0);
	printf("fork %d %d\n", WEXITSTATUS(status), (int)count);
	/* What the child sets is its own. */
	if ((pid = vfork()) == 0) {
		struct sigaction act = {.sa_handler = other};

		sigaction(SIGUSR1, &act, NULL);
		signal(SIGUSR2, SIG_IGN);
		raise(SIGUSR1);
		sigaction(SIGUSR1, NULL, &act);
		_exit(act.sa_handler == other ? 7 : 8);
	}
	waitpid(pid, &status, 0);
	printf("vfork %d %d ", WEXITSTATUS(status), (int)count);
	told(SIGUSR1);
	raise(SIGUSR1);
	printf("after %d\n", (int)count);
	if ((pid = fork()) == 0) {
		execv(argv[0], argv);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	printf("exec: signal %d\n", WTERMSIG(status));
}

static sem_t ready;
static volatile int done;

static void *waits(void *arg)
{
	sigset_t set;
	siginfo_t info;
	int signo = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sem_post(&ready);
	if (arg)
		signo = sigwaitinfo(&set, &info);
	else
		sigwait(&set, &signo);
	return (void *)(long)signo;
}

static void waiting(void)
{
	struct timespec zero = {0, 0};
	pthread_t id;
	sigset_t set;
	void *ret;

	sem_init(&ready, 0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (long i = 0; i < 2; i++) {
		pthread_create(&id, NULL, waits, (void *)i);
		sem_wait(&ready);
		pthread_kill(id, SIGUSR1);
		pthread_join(id, &ret);
		printf("waited for %ld\n", (long)ret);
	}
	printf("nothing %d", sigtimedwait(&set, NULL, &zero));
	printf(" errno %d\n", errno);
}

static void *changes(void *arg)
{
	struct sigaction act[2] = {with(simple, 0), with(NULL, SA_SIGINFO)};

	act[1].sa_sigaction = informed;
	for (long i = 0; !done; i++)
		sigaction(SIGUSR1, &act[i % 2], NULL);
	return arg;
}

/* Another thread changes the handler all the time. */
static void storm(void)
{
	union sigval value = {.sival_int = 1};
	pthread_t id;

	signal(SIGUSR1, simple);
	pthread_create(&id, NULL, changes, NULL);
	for (int i = 0; i < 20000; i++)
		sigqueue(getpid(), SIGUSR1, value);
	done = 1;
	pthread_join(id, NULL);
	/* Two may have become one, if they came to both threads. */
	puts(count > 0 && count <= 20000 ? "storm over" : "lost");
}

/* As the kernel has them: the mask of what is caught, and who is called. */
static void kernel(void)
{
	struct {
		void *handler;
		unsigned long flags, restorer, mask;
	} act = {0};
	char line[128];
	FILE *f;

	signal(SIGUSR1, simple);
	syscall(SYS_rt_sigaction, SIGUSR1, NULL, &act, 8);
	printf("the kernel calls %s\n",
	       act.handler == (void *)simple ? "simple" : "another");
	f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, "Sig", 3) == 0 && line[3] != 'Q')
			fputs(line, stdout);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {
		{"identity", identity}, {"counted", counted},
		{"flags", flags},	{"faults", faults},
		{"children", children}, {"waiting", waiting},
		{"storm", storm},	{"kernel", kernel},
	};

	setvbuf(stdout, NULL, _IONBF, 0);
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			ways[i].run();
	return 0;
}
