/* SPDX-License-Identifier: MIT */
/*
 * victim-same [WORD...]: prints all that a program can inherit, and the words.
 * Exits with their number.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void show_descriptors(void)
{
	for (int fd = 0; fd < 4096; fd++) {
		char path[64], target[4096] = "";
		struct stat st;

		if (fstat(fd, &st) != 0)
			continue;
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		/* The numbers of pipes and sockets differ. */
		if (readlink(path, target, sizeof(target) - 1) < 0 ||
		    target[0] != '/')
			*strchrnul(target, ':') = '\0';
		printf("descriptor %d: %o %s, %x, %x, %lld\n", fd, st.st_mode,
		       target, (unsigned int)fcntl(fd, F_GETFL),
		       (unsigned int)fcntl(fd, F_GETFD),
		       S_ISREG(st.st_mode) && fd > 2 ?
			       (long long)lseek(fd, 0, SEEK_CUR) :
			       0);
	}
	printf("next descriptor: %d\n", dup(0));
}

static void show_status(void)
{
	static const char names[] =
		"Name: Umask: Uid: Gid: Groups: Threads: SigPnd: ShdPnd: "
		"SigBlk: SigIgn: SigCgt: CapInh: CapPrm: CapEff: CapBnd: "
		"CapAmb: NoNewPrivs: Seccomp: Cpus_allowed_list: "
		"Mems_allowed_list: ";
	FILE *file = fopen("/proc/self/status", "r");
	char line[4096];

	while (file && fgets(line, sizeof(line), file)) {
		char name[64];

		if (sscanf(line, "%60s", name) == 1 &&
		    strstr(names, strcat(name, " ")))
			fputs(line, stdout);
	}
	if (file)
		fclose(file);
}

static void show_limits(void)
{
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limit = {0, 0};

		getrlimit(i, &limit);
		printf("limit %d: %llx %llx\n", i,
		       (unsigned long long)limit.rlim_cur,
		       (unsigned long long)limit.rlim_max);
	}
}

static void show_process(void)
{
	struct itimerval timer = {0};
	int adopts = 0, death = 0, status;
	char *cwd = getcwd(NULL, 0);

	printf("cwd: %s\n", cwd ? cwd : strerror(errno));
	free(cwd);
	printf("nice: %d, scheduler: %d\n", getpriority(PRIO_PROCESS, 0),
	       sched_getscheduler(0));
	printf("session: %d, group: %d, leads: %d\n",
	       getsid(0) == getsid(getppid()), getpgrp() == getpgid(getppid()),
	       getpgrp() == getpid());
	getitimer(ITIMER_REAL, &timer);
	printf("timer: %d\n", timer.it_value.tv_sec > 0);
	prctl(PR_GET_CHILD_SUBREAPER, &adopts);
	prctl(PR_GET_PDEATHSIG, &death);
	printf("adopts: %d, dies: %d, dumpable: %d, secure bits: %d, "
	       "timer slack: %d, personality: %x\n",
	       adopts, death, prctl(PR_GET_DUMPABLE), prctl(PR_GET_SECUREBITS),
	       prctl(PR_GET_TIMERSLACK), (unsigned int)personality(~0u));
	printf("secure: %lu, run as %s\n", getauxval(AT_SECURE),
	       (const char *)getauxval(AT_EXECFN));
	status = waitpid(-1, &status, WNOHANG | __WALL);
	printf("children: %d %s\n", status, strerror(errno));
}

/*
 * What ptrace-run is there to change; and what a shell, which ptrace-run is,
 * changes by itself.
 */
static int is_ours(const char *variable)
{
	return strncmp(variable, "LD_PRELOAD=", 11) == 0 ||
	       strncmp(variable, "PTRACE_", 7) == 0 ||
	       strncmp(variable, "ASAN_OPTIONS=", 13) == 0 ||
	       strncmp(variable, "PWD=", 4) == 0 ||
	       strncmp(variable, "_=", 2) == 0;
}

int main(int argc, char **argv)
{
	show_descriptors();
	show_status();
	show_limits();
	show_process();
	for (char **p = environ; *p; p++)
		if (!is_ours(*p))
			printf("environment: %s\n", *p);
	for (int i = 0; i < argc; i++)
		printf("argument: %s\n", argv[i]);
	return argc - 1;
}
