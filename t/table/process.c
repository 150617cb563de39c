/* SPDX-License-Identifier: MIT */
/* Programs that wait for, stop, group, schedule and look at processes. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_3(void)
{
	return 3;
}

static int stop_myself(void)
{
	raise(SIGSTOP);
	pause();
	return 4;
}

static int pause_long(void)
{
	pause();
	return 5;
}

static int stopping(void)
{
	pid_t pid = start(stop_myself);
	int status = 0;

	waitpid(pid, &status, WUNTRACED);
	say_status("stopped", status);
	said("nothing more", waitpid(pid, &status, WNOHANG | WUNTRACED));
	kill(pid, SIGCONT);
	waitpid(pid, &status, WCONTINUED);
	say("continued: %d", WIFCONTINUED(status));
	kill(pid, SIGTERM);
	say_end("child", pid);
	return 0;
}

static void say_info(const char *what, const siginfo_t *si)
{
	say("%s: signal %d, code %d, status %d", what, si->si_signo,
	    si->si_code, si->si_status);
}

static int waitid_flags(void)
{
	pid_t pid = start(exit_3);
	siginfo_t si;

	memset(&si, 0, sizeof(si));
	said("nowait", waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT));
	say_info("nowait", &si);
	said("again", waitid(P_ALL, 0, &si, WEXITED));
	say_info("again", &si);
	said("none", waitid(P_ALL, 0, &si, WEXITED));
	pid = start(stop_myself);
	said("stopped", waitid(P_PID, (id_t)pid, &si, WSTOPPED));
	say_info("stopped", &si);
	memset(&si, 0, sizeof(si));
	said("nohang", waitid(P_PID, (id_t)pid, &si, WEXITED | WNOHANG));
	say_info("nohang", &si);
	kill(pid, SIGKILL);
	said("killed", waitid(P_PGID, (id_t)getpgrp(), &si, WEXITED));
	say_info("killed", &si);
	said("no flags", waitid(P_ALL, 0, &si, 0));
	said("bad", waitid((idtype_t)99, 0, &si, WEXITED));
	return 0;
}

static int ignored_children(void)
{
	struct sigaction action = {.sa_handler = SIG_IGN};

	sigaction(SIGCHLD, &action, NULL);
	start(exit_3);
	start(exit_3);
	said("wait", wait(NULL));
	said("system", system("exit 3"));
	action.sa_handler = SIG_DFL;
	action.sa_flags = SA_NOCLDWAIT;
	sigaction(SIGCHLD, &action, NULL);
	start(exit_3);
	said("wait", wait(NULL));
	said("popen", pclose(popen("exit 3", "r")));
	return 0;
}

static void show(int sig, siginfo_t *si, void *context)
{
	(void)sig;
	(void)context;
	say_info("SIGCHLD", si);
}

static int child_signals(void)
{
	struct sigaction action = {.sa_sigaction = show};
	sigset_t set, old;
	pid_t pid;

	action.sa_flags = SA_SIGINFO;
	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = start(exit_3);
	sigsuspend(&old);
	say_end("child", pid);
	pid = start(pause_long);
	kill(pid, SIGTERM);
	sigsuspend(&old);
	say_end("child", pid);
	pid = start(stop_myself);
	sigsuspend(&old);
	kill(pid, SIGKILL);
	sigsuspend(&old);
	say_end("child", pid);
	action.sa_flags |= SA_NOCLDSTOP;
	sigaction(SIGCHLD, &action, NULL);
	pid = start(stop_myself);
	waitpid(pid, NULL, WUNTRACED);
	sigpending(&set);
	say("pending: %d", sigismember(&set, SIGCHLD));
	kill(pid, SIGKILL);
	sigsuspend(&old);
	say_end("child", pid);
	return 0;
}

static int groups(void)
{
	pid_t pid = start(pause_long), other = start(pause_long);

	said("setpgid", setpgid(pid, pid));
	said("setpgid", setpgid(other, pid));
	said("killpg", killpg(pid, SIGUSR1));
	say_end("leader", pid);
	say_end("member", other);
	said("no group", waitpid(-pid, NULL, 0));
	said("bad", setpgid(1 << 29, 0));
	pid = fork();
	if (pid == 0) {
		said("setsid", setsid() == getpid());
		said("setsid", setsid());
		said("setpgid", setpgid(0, 0));
		_exit(getpgrp() == getpid() && getsid(0) == getpid());
	}
	say_end("session", pid);
	said("getpgid", getpgid(0) == getpgrp());
	return 0;
}

static int orphaned(void)
{
	int fds[2];
	char c = 0;

	/* The stopped member of a group that loses its last relative. */
	pipe(fds);
	if (fork() == 0) {
		pid_t pid;

		setpgid(0, 0);
		pid = fork();
		if (pid == 0) {
			close(fds[0]);
			raise(SIGSTOP);
			pause();
			_exit(0);
		}
		waitpid(pid, NULL, WUNTRACED);
		_exit(0);
	}
	close(fds[1]);
	wait(NULL);
	/* It is sent SIGHUP, and so the pipe ends. */
	said("read", read(fds[0], &c, 1));
	return 0;
}

static int usage(void)
{
	struct rusage before, after;
	struct tms tms;
	pid_t pid = start(exit_3);
	int status;

	getrusage(RUSAGE_CHILDREN, &before);
	said("wait4", wait4(pid, &status, 0, &after) == pid);
	say_status("child", status);
	getrusage(RUSAGE_CHILDREN, &after);
	say("switches: %d", after.ru_nvcsw + after.ru_nivcsw >=
				    before.ru_nvcsw + before.ru_nivcsw);
	said("wait3", wait3(&status, WNOHANG, &after));
	said("times", times(&tms) > 0);
	said("nonsense", getrusage((__rusage_who_t)99, &after));
	return 0;
}

static int priorities(void)
{
	struct sched_param param = {0};
	cpu_set_t set;

	said("nice", nice(3));
	said("get", getpriority(PRIO_PROCESS, 0));
	said("set", setpriority(PRIO_PROCESS, 0, 5));
	said("scheduler", sched_getscheduler(0));
	said("batch", sched_setscheduler(0, SCHED_BATCH, &param));
	said("idle", sched_setscheduler(0, SCHED_IDLE, &param));
	said("get", sched_getscheduler(0));
	CPU_ZERO(&set);
	said("affinity", sched_getaffinity(0, sizeof(set), &set));
	CPU_ZERO(&set);
	said("empty", sched_setaffinity(0, sizeof(set), &set));
	try_child("child", exit_3);
	said("max", sched_get_priority_max(SCHED_FIFO));
	return 0;
}

static int personalities(void)
{
	char *const argv[] = {self, (char *)"=", (char *)"signals", NULL};

	say("%x", (unsigned int)personality(~0U));
	said("set", personality(ADDR_NO_RANDOMIZE) >= 0);
	try_child("child", exit_3);
	execv(self, argv);
	return 1;
}

static int traced(void)
{
	pid_t pid = fork();
	int status = 0, nr = 0;

	if (pid == 0) {
		said("traceme", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
		raise(SIGUSR1);
		raise(SIGUSR2);
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	while (waitpid(pid, &status, 0) > 0 && WIFSTOPPED(status)) {
		say_status("child", status);
		ptrace(PTRACE_CONT, pid, NULL, NULL);
		nr++;
	}
	say_status("child", status);
	return nr;
}

static int attached(void)
{
	pid_t pid = start(pause_long);
	int status = 0;

	said("attach", ptrace(PTRACE_ATTACH, pid, NULL, NULL));
	waitpid(pid, &status, 0);
	say_status("child", status);
	said("detach", ptrace(PTRACE_DETACH, pid, NULL, NULL));
	kill(pid, SIGTERM);
	say_end("child", pid);
	return 0;
}

static int descriptor(void)
{
	pid_t pid = start(pause_long);
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd p = {fd, POLLIN, 0};
	siginfo_t si;

	said("open", fd);
	said("poll", poll(&p, 1, 0));
	said("signal", syscall(SYS_pidfd_send_signal, fd, SIGUSR2, NULL, 0));
	said("poll", poll(&p, 1, -1));
	said("wait", waitid(P_PIDFD, (id_t)fd, &si, WEXITED));
	say_info("child", &si);
	return 0;
}

/* All that the kernel says of us in numbers. */
static int status(void)
{
	static const char *const names[] = {
		"Threads:", "SigPnd:",	"ShdPnd:",     "SigBlk:",    "SigIgn:",
		"SigCgt:",  "Seccomp:", "NoNewPrivs:", "TracerPid:", "Umask:",
		"CapEff:",  "Uid:",	"Gid:"};
	FILE *file = fopen("/proc/self/status", "r");
	char line[4096];

	while (file && fgets(line, sizeof(line), file))
		for (int i = 0; i < 13; i++)
			if (strncmp(line, names[i], strlen(names[i])) == 0)
				say("%.*s", (int)strcspn(line, "\n"), line);
	if (file)
		fclose(file);
	say("descriptors: %d", count_entries("/proc/self/fd"));
	say("threads: %d", count_entries("/proc/self/task"));
	return 0;
}

static void say_file(const char *path)
{
	char text[512] = "";
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, text, sizeof(text) - 1);

	for (ssize_t i = 0; i < size; i++)
		if (text[i] == '\0' || text[i] == '\n')
			text[i] = '|';
	close(fd);
	say("%s: %s", path,
	    strncmp(text, self, strlen(self)) == 0 ? text + strlen(self) :
						     text);
}

static int views(void)
{
	say_file("/proc/self/cmdline");
	say_file("/proc/self/comm");
	say_file("/proc/self/oom_score_adj");
	say_file("/proc/self/coredump_filter");
	say_file("/proc/self/timerslack_ns");
	say_file("/proc/thread-self/children");
	say_file("/proc/self/timers");
	say_file("/proc/self/loginuid");
	return 0;
}

static int vector(void)
{
	struct utsname name;

	say("secure %lu, page %lu, clock %lu, uid %lu", getauxval(AT_SECURE),
	    getauxval(AT_PAGESZ), getauxval(AT_CLKTCK), getauxval(AT_UID));
	say("%s", strrchr((const char *)getauxval(AT_EXECFN), '/'));
	errno = 0;
	said("none", (long)getauxval(99999));
	say_error("errno", errno);
	say("random: %d, vdso: %d", getauxval(AT_RANDOM) != 0,
	    getauxval(AT_SYSINFO_EHDR) != 0);
	say("%s", program_invocation_short_name);
	said("uname", uname(&name));
	said("page", sysconf(_SC_PAGESIZE));
	said("open", sysconf(_SC_OPEN_MAX));
	said("threads", sysconf(_SC_THREADS));
	said("version", sysconf(_SC_VERSION));
	said("nonsense", sysconf(99999));
	said("pathconf", pathconf("/", _PC_NAME_MAX));
	said("keys", sysconf(_SC_THREAD_KEYS_MAX));
	return 0;
}

static int any_child(void)
{
	pid_t pid;

	said("at once", waitpid(-1, NULL, WNOHANG | __WALL));
	said("__WCLONE", waitpid(-1, NULL, WNOHANG | __WCLONE));
	pid = start(exit_3);
	said("mine", waitpid(-1, NULL, __WALL) == pid);
	said("none", waitpid(-1, NULL, __WALL));
	said("group", waitpid(0, NULL, 0));
	said("myself", waitpid(getpid(), NULL, 0));
	said("nobody", waitpid(1 << 29, NULL, 0));
	said("flags", waitpid(-1, NULL, 0x100));
	return 0;
}

static void *wait_in_thread(void *arg)
{
	say_end("child of another thread", *(pid_t *)arg);
	return NULL;
}

static int waits_in_thread(void)
{
	pid_t pid = start(exit_3);
	pthread_t thread;

	pthread_create(&thread, NULL, wait_in_thread, &pid);
	pthread_join(thread, NULL);
	pid = start(exit_3);
	said("__WNOTHREAD", waitpid(pid, NULL, __WNOTHREAD) == pid);
	return 0;
}

const struct program process_programs[] = {
	{"stopping", stopping, false},
	{"waitid", waitid_flags, false},
	{"ignored-children", ignored_children, false},
	{"child-signals", child_signals, false},
	{"groups", groups, false},
	{"orphaned", orphaned, false},
	{"usage", usage, false},
	{"priorities", priorities, false},
	{"personality", personalities, false},
	{"traced", traced, false},
	{"attached", attached, false},
	{"descriptor", descriptor, false},
	{"status", status, false},
	{"views", views, false},
	{"vector", vector, false},
	{"any-child", any_child, false},
	{"waits-in-thread", waits_in_thread, false},
	{NULL, NULL, false},
};
