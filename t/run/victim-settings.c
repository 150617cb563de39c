/* SPDX-License-Identifier: MIT */
/* Limits, CPUs and signal handlers: prints what each call set or was told. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

static void on_signal(int signo)
{
	(void)signo;
}

static void put_limit(const char *which, const struct rlimit *limit)
{
	printf("%s {rlim_cur=%llu, rlim_max=%llu}", which,
	       (unsigned long long)limit->rlim_cur,
	       (unsigned long long)limit->rlim_max);
}

static void limits(void)
{
	struct rlimit limit, old;
	struct rlimit *volatile same = &old;

	getrlimit(RLIMIT_NOFILE, &limit);
	put_limit("RLIMIT_NOFILE old", &limit);
	limit.rlim_cur = 64;
	setrlimit(RLIMIT_NOFILE, &limit);
	put_limit("\nRLIMIT_NOFILE new", &limit);
	limit.rlim_cur = 32;
	prlimit(0, RLIMIT_NOFILE, &limit, &old);
	put_limit("\nRLIMIT_NOFILE new", &limit);
	put_limit(", old", &old);
	limit.rlim_cur = 16;
	old = limit;
	prlimit(0, RLIMIT_NOFILE, same, &old);
	put_limit("\nRLIMIT_NOFILE old", &old);
	setrlimit((__rlimit_resource_t)99, &limit);
	put_limit("\n99 EINVAL new", &limit);
	setrlimit(RLIMIT_NOFILE, (const struct rlimit *)8);
	printf("\nRLIMIT_NOFILE EFAULT\n");
}

static void cpus(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	printf("cpus [0] %d\n", sched_setaffinity(0, sizeof(set), &set));
	CPU_ZERO(&set);
	for (int cpu = 900; cpu < 903; cpu++)
		CPU_SET(cpu, &set);
	CPU_SET(1001, &set);
	printf("cpus [900-902,1001] %d\n",
	       sched_setaffinity(0, sizeof(set), &set));
}

static void signals(void)
{
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = SA_NODEFER};
	struct sigaction *volatile same = &action;
	unsigned long long on = (unsigned long long)on_signal;

	sigaddset(&action.sa_mask, SIGTERM);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &action, NULL);
	printf("SIGUSR1 new {sa_handler=0x%llx, sa_mask=[USR2 TERM], "
	       "sa_flags=SA_NODEFER}\n",
	       on);
	action.sa_flags = SA_RESETHAND;
	sigaction(SIGUSR1, same, &action);
	printf("SIGUSR1 new {sa_handler=0x%llx, sa_mask=[USR2 TERM], "
	       "sa_flags=SA_RESETHAND}, old {sa_handler=0x%llx, "
	       "sa_mask=[USR2 TERM], sa_flags=SA_NODEFER}\n",
	       on, on);
	signal(SIGUSR1, SIG_IGN);
	printf("SIGUSR1 new {sa_handler=SIG_IGN, sa_mask=[USR1], "
	       "sa_flags=SA_RESTART}\n");
	sigaction(SIGKILL, &action, NULL);
	printf("SIGKILL EINVAL\n");
}

int main(void)
{
	limits();
	cpus();
	signals();
	return 0;
}
