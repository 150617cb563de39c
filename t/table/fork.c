/* SPDX-License-Identifier: MIT */
/* Programs that make processes, in handlers, threads and odd ways. */
#include "t/table/table.h"

#include <errno.h>
#include <pthread.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int count;
static volatile pid_t child;

static int exit_3(void)
{
	return 3;
}

static int ways(void)
{
	pid_t pid;

	try_child("fork", exit_3);
	pid = _Fork();
	if (pid == 0)
		_exit(4);
	say_end("_Fork", pid);
	pid = vfork();
	if (pid == 0)
		_exit(5);
	say_end("vfork", pid);
	pid = (pid_t)syscall(SYS_fork);
	if (pid == 0)
		syscall(SYS_exit_group, 6);
	say_end("syscall(SYS_fork)", pid);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		syscall(SYS_exit, 7);
	say_end("syscall(SYS_clone)", pid);
	said("no more", waitpid(-1, NULL, __WALL));
	return 0;
}

static void fork_here(int sig)
{
	pid_t pid = fork();

	(void)sig;
	if (pid == 0)
		_exit(10 + count);
	child = pid;
	count++;
}

static int handler(void)
{
	on_signal(SIGUSR1, fork_here);
	for (int i = 0; i < 5; i++) {
		raise(SIGUSR1);
		say_end("child", child);
	}
	return count;
}

static void fork_on(int sig)
{
	(void)sig;
	if (fork() == 0)
		say("in the child");
	else
		wait(NULL);
}

static int handler_returns(void)
{
	on_signal(SIGUSR1, fork_on);
	raise(SIGUSR1);
	say("goes on");
	return 7;
}

static void underscore_fork_here(int sig)
{
	(void)sig;
	child = _Fork();
	if (child == 0)
		_exit(8);
	count++;
}

static int underscore_handler(void)
{
	on_signal(SIGUSR1, underscore_fork_here);
	for (int i = 0; i < 5; i++) {
		raise(SIGUSR1);
		say_end("child", child);
	}
	return count;
}

static void vfork_here(int sig)
{
	(void)sig;
	child = vfork();
	if (child == 0)
		_exit(9);
}

static int vfork_handler(void)
{
	on_signal(SIGUSR1, vfork_here);
	raise(SIGUSR1);
	say_end("child", child);
	return 0;
}

static void spawn_here(int sig)
{
	static char name[] = "false";
	static char *const argv[] = {name, NULL};
	pid_t pid = -1;

	(void)sig;
	if (posix_spawnp(&pid, "false", NULL, NULL, argv, environ) == 0)
		child = pid;
}

static int spawn_handler(void)
{
	on_signal(SIGUSR1, spawn_here);
	raise(SIGUSR1);
	say_end("child", child);
	return 0;
}

static void *nothing(void *arg)
{
	return arg;
}

/* A thread with the signal pending when it begins: the first that it does. */
static void start_pending(void *(*fn)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	sigemptyset(&set);
	pthread_attr_init(&attr);
	pthread_attr_setsigmask_np(&attr, &set);
	if (pthread_create(&thread, &attr, fn, NULL) == 0)
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

static int handler_first(void)
{
	on_signal(SIGUSR1, fork_here);
	for (int i = 0; i < 20; i++) {
		start_pending(nothing);
		say_end("child", child);
	}
	return count;
}

static void fork_twice(int sig)
{
	int status = 0;

	(void)sig;
	child = fork();
	if (child == 0) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(2);
		waitpid(pid, &status, 0);
		_exit(WEXITSTATUS(status) + 3);
	}
	count++;
}

static int handler_first_deep(void)
{
	on_signal(SIGUSR1, fork_twice);
	start_pending(nothing);
	say_end("child", child);
	return count;
}

static int vfork_exec_fails(void)
{
	for (volatile int i = 0; i < 50; i++) {
		pid_t pid = vfork();

		if (pid == 0) {
			execl("/no/such/program", "program", (char *)NULL);
			_exit(errno == ENOENT ? 50 : 51);
		}
		if (i % 25 == 0)
			say_end("child", pid);
		else
			waitpid(pid, NULL, 0);
	}
	return 0;
}

static int vfork_nested(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		pid_t inner = vfork();
		int status;

		if (inner == 0)
			_exit(6);
		waitpid(inner, &status, 0);
		_exit(WEXITSTATUS(status) + 1);
	}
	say_end("outer", pid);
	return 0;
}

static int vfork_memory(void)
{
	volatile int seen = 1;
	pid_t pid = vfork();

	if (pid == 0) {
		seen = 2;
		_exit(0);
	}
	say_end("child", pid);
	say("seen: %d", seen);
	return 0;
}

static void *fork_in_thread(void *arg)
{
	pid_t pid = fork();

	(void)arg;
	if (pid == 0) {
		say("threads: %d", count_entries("/proc/self/task"));
		/* The last thread: this ends the process. */
		pthread_exit(NULL);
	}
	say_end("child", pid);
	return NULL;
}

static int thread(void)
{
	pthread_t thread;

	for (int i = 0; i < 5; i++) {
		pthread_create(&thread, NULL, fork_in_thread, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}

static void before_1(void)
{
	say("prepare 1");
}

static void before_2(void)
{
	say("prepare 2");
}

static void parent_1(void)
{
	count++;
}

static void child_1(void)
{
	say("child 1");
}

static void child_2(void)
{
	say("child 2");
}

static int atfork(void)
{
	static char name[] = "true";
	static char *const argv[] = {name, NULL};
	pid_t pid;

	pthread_atfork(before_1, parent_1, child_1);
	pthread_atfork(before_2, parent_1, child_2);
	try_child("fork", exit_3);
	say("_Fork");
	pid = _Fork();
	if (pid == 0)
		_exit(0);
	say_end("_Fork", pid);
	say("vfork");
	pid = vfork();
	if (pid == 0)
		_exit(0);
	say_end("vfork", pid);
	say("posix_spawn");
	posix_spawnp(&pid, "true", NULL, NULL, argv, environ);
	say_end("posix_spawn", pid);
	say("system");
	say_status("system", system("exit 4"));
	say("popen");
	say_status("popen", pclose(popen("exit 5", "r")));
	return count;
}

static void fork_again(void)
{
	static int depth;

	if (depth++ == 0)
		try_child("from a fork handler", exit_3);
}

static int atfork_forks(void)
{
	pthread_atfork(NULL, NULL, fork_again);
	try_child("child", exit_3);
	return 0;
}

static int many(void)
{
	pid_t pids[64];
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(i);
	}
	for (int i = 0; i < 64; i++) {
		int status = 0;

		if (waitpid(pids[i], &status, 0) == pids[i])
			sum += WEXITSTATUS(status);
	}
	say("sum: %d", sum);
	said("no more", wait(NULL));
	return 0;
}

static int chain(void)
{
	int depth = 0, status = 0;

	while (depth < 20) {
		pid_t pid = fork();

		if (pid != 0) {
			waitpid(pid, &status, 0);
			break;
		}
		depth++;
	}
	if (depth > 0)
		_exit(depth == 20 ? 20 : WEXITSTATUS(status) + 1);
	say_status("chain", status);
	return 0;
}

static int longjmp_out(void)
{
	jmp_buf back;
	pid_t pid = -1;

	if (setjmp(back) == 0) {
		pid = fork();
		if (pid == 0)
			longjmp(back, 1);
		say_end("child", pid);
		return 0;
	}
	say("in the child");
	return 6;
}

static int pseudo_terminal(void)
{
	char line[64] = "";
	int fd;
	pid_t pid = forkpty(&fd, NULL, NULL, NULL);

	if (pid == 0) {
		say("%s, leads: %d", isatty(0) ? "a terminal" : "none",
		    getsid(0) == getpid());
		_exit(4);
	}
	if (pid > 0 && read(fd, line, sizeof(line) - 1) > 0)
		say("said: %.*s", (int)strcspn(line, "\r\n"), line);
	say_end("child", pid);
	return 0;
}

static int be_daemon(void)
{
	int fds[2];
	char c = 0;

	if (pipe(fds) != 0)
		return 1;
	child = fork();
	if (child == 0) {
		if (daemon(1, 1) != 0)
			_exit(9);
		c = getsid(0) == getpid() ? 'l' : 'n';
		_exit(write(fds[1], &c, 1) != 1);
	}
	say_end("parent of the daemon", child);
	said("read", read(fds[0], &c, 1));
	say("session leader: %c", c);
	close(fds[1]);
	said("end", read(fds[0], &c, 1));
	return 0;
}

static atomic_bool stop;

static void *busy(void *arg)
{
	while (!stop) {
		free(malloc(100));
		getppid();
		raise(0);
		usleep(1);
	}
	return arg;
}

static int among_threads(void)
{
	pthread_t threads[3];
	int sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, busy, NULL);
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();
		int status = 0;

		if (pid == 0) {
			free(malloc(100));
			kill(getpid(), 0);
			_exit(1);
		}
		waitpid(pid, &status, 0);
		sum += WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
	}
	stop = true;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	say("children: %d", sum);
	return 0;
}

static void reap(int sig)
{
	int error = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		count++;
	errno = error;
}

static int reap_in_handler(void)
{
	sigset_t set, old;

	on_signal(SIGCHLD, reap);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	for (int i = 0; i < 10; i++)
		start(exit_3);
	while (count < 10)
		sigsuspend(&old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	said("no more", wait(NULL));
	return count;
}

static void fork_more(int sig)
{
	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0) {
		if (++count < 10 && fork() == 0)
			_exit(1);
	}
}

static int fork_in_sigchld(void)
{
	sigset_t set, old;

	on_signal(SIGCHLD, fork_more);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	start(exit_3);
	while (count < 10)
		sigsuspend(&old);
	return count;
}

static int stdio_twice(void)
{
	pid_t pid;

	printf("before\n");
	pid = fork();
	if (pid == 0) {
		printf("child\n");
		exit(0);
	}
	waitpid(pid, NULL, 0);
	printf("parent\n");
	return 0;
}

const struct program fork_programs[] = {
	{"ways", ways, false},
	{"handler", handler, false},
	{"handler-returns", handler_returns, false},
	{"underscore-handler", underscore_handler, false},
	{"vfork-handler", vfork_handler, false},
	{"spawn-handler", spawn_handler, false},
	{"handler-first", handler_first, false},
	{"handler-first-deep", handler_first_deep, false},
	{"vfork-exec-fails", vfork_exec_fails, false},
	{"vfork-nested", vfork_nested, false},
	{"vfork-memory", vfork_memory, false},
	{"thread", thread, false},
	{"atfork", atfork, false},
	{"atfork-forks", atfork_forks, false},
	{"many", many, false},
	{"chain", chain, false},
	{"longjmp", longjmp_out, false},
	{"pseudo-terminal", pseudo_terminal, false},
	{"daemon", be_daemon, false},
	{"among-threads", among_threads, false},
	{"reap-in-handler", reap_in_handler, false},
	{"fork-in-sigchld", fork_in_sigchld, false},
	{"stdio", stdio_twice, false},
	{NULL, NULL, false},
};
