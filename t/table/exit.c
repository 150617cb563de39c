/* SPDX-License-Identifier: MIT */
/* Programs that end, in every way and from everywhere. */
#include "t/table/table.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int do_exit(void)
{
	exit(1);
}

static int do_underscore(void)
{
	_exit(2);
}

static int do_upper(void)
{
	_Exit(3);
}

static int do_quick(void)
{
	quick_exit(4);
}

static int do_bare(void)
{
	syscall(SYS_exit_group, 5);
	return 0;
}

static int do_bare_thread(void)
{
	syscall(SYS_exit, 6);
	return 0;
}

static int do_pthread(void)
{
	pthread_exit(NULL);
}

static int do_large(void)
{
	exit(0x1234);
}

static int do_abort(void)
{
	abort();
}

static int do_kill(void)
{
	kill(getpid(), SIGKILL);
	return 0;
}

static int ways(void)
{
	try_child("exit", do_exit);
	try_child("_exit", do_underscore);
	try_child("_Exit", do_upper);
	try_child("quick_exit", do_quick);
	try_child("exit_group", do_bare);
	try_child("SYS_exit", do_bare_thread);
	try_child("pthread_exit", do_pthread);
	try_child("exit(0x1234)", do_large);
	try_child("abort", do_abort);
	try_child("SIGKILL", do_kill);
	return 255;
}

static void say_first(void)
{
	say("first");
	getppid();
}

static void say_second(void)
{
	say("second");
}

static void say_status_of(int status, void *arg)
{
	say("status %d, %s", status, (const char *)arg);
}

static int order(void)
{
	atexit(say_first);
	on_exit(say_status_of, "argument");
	atexit(say_second);
	at_quick_exit(say_second);
	return 3;
}

static int quick(void)
{
	atexit(say_first);
	at_quick_exit(say_first);
	at_quick_exit(say_second);
	quick_exit(4);
}

static void fork_here(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		say("the child goes on with the handlers");
		return;
	}
	say_end("child", pid);
	say_status("system", system("exit 3"));
}

static int handler_forks(void)
{
	atexit(say_first);
	atexit(fork_here);
	exit(5);
}

static void *nothing(void *arg)
{
	say("thread");
	return arg;
}

static void start_here(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
}

static int handler_starts(void)
{
	atexit(start_here);
	return 6;
}

static void exit_again(void)
{
	say("again");
	exit(9);
}

static int handler_exits(void)
{
	atexit(say_first);
	atexit(exit_again);
	exit(1);
}

static void register_more(void)
{
	say("registers");
	atexit(say_second);
}

static int handler_registers(void)
{
	atexit(register_more);
	exit(2);
}

static void underscore(void)
{
	say("ends here");
	_exit(7);
}

static int handler_ends(void)
{
	atexit(say_first);
	atexit(underscore);
	return 0;
}

static void exec_here(void)
{
	execl("/bin/sh", "sh", "-c", "echo executed; exit 8", (char *)NULL);
}

static int handler_executes(void)
{
	atexit(exec_here);
	return 0;
}

static void kill_here(void)
{
	raise(SIGTERM);
}

static int handler_killed(void)
{
	atexit(kill_here);
	return 0;
}

static int many_handlers(void)
{
	int failed = 0;

	for (int i = 0; i < 100; i++)
		failed += atexit(i == 50 ? say_first : say_second);
	say("failed: %d", failed);
	return 0;
}

static void exit_now(int sig)
{
	exit(sig);
}

static int in_signal_handler(void)
{
	atexit(say_first);
	on_signal(SIGUSR1, exit_now);
	raise(SIGUSR1);
	return 1;
}

static int buffered(void)
{
	printf("buffered ");
	if (fork() == 0)
		_exit(0);
	wait(NULL);
	if (vfork() == 0)
		_exit(0);
	wait(NULL);
	printf("once\n");
	return 0;
}

static int buffered_lost(void)
{
	printf("lost\n");
	syscall(SYS_exit_group, 3);
	return 0;
}

static int output_closed(void)
{
	printf("nowhere\n");
	close(1);
	close(2);
	return fflush(stdout) == 0 ? 1 : errno;
}

static int failing_assert(void)
{
	/* The message is on standard error, and has the file's name. */
	assert(getpid() == 0);
	return 0;
}

static void *exit_here(void *arg)
{
	(void)arg;
	exit(11);
}

static int thread_while_main_exits(void)
{
	pthread_t thread;

	atexit(say_first);
	pthread_create(&thread, NULL, exit_here, NULL);
	pthread_exit(NULL);
}

static void at_end(void *arg)
{
	say("%s", (const char *)arg);
}

int __cxa_atexit(void (*)(void *), void *, void *);

static int cxa(void)
{
	static char one[] = "one", two[] = "two";

	__cxa_atexit(at_end, one, NULL);
	__cxa_atexit(at_end, two, NULL);
	atexit(say_first);
	return 0;
}

static __attribute__((destructor(200))) void late(void)
{
	if (getenv("TABLE_DESTRUCTORS"))
		say("destructor 200");
}

static __attribute__((destructor(300))) void early(void)
{
	if (getenv("TABLE_DESTRUCTORS")) {
		say("destructor 300");
		say_end("child", fork() ?: (_exit(1), 0));
	}
}

static int destructors(void)
{
	setenv("TABLE_DESTRUCTORS", "1", 1);
	atexit(say_first);
	return 0;
}

const struct program exit_programs[] = {
	{"ways", ways, false},
	{"order", order, false},
	{"quick", quick, false},
	{"handler-forks", handler_forks, false},
	{"handler-starts", handler_starts, false},
	{"handler-exits", handler_exits, false},
	{"handler-registers", handler_registers, false},
	{"handler-ends", handler_ends, false},
	{"handler-executes", handler_executes, false},
	{"handler-killed", handler_killed, false},
	{"many-handlers", many_handlers, false},
	{"in-signal-handler", in_signal_handler, false},
	{"buffered", buffered, false},
	{"buffered-lost", buffered_lost, false},
	{"output-closed", output_closed, false},
	{"assert", failing_assert, false},
	{"thread", thread_while_main_exits, false},
	{"cxa", cxa, false},
	{"destructors", destructors, false},
	{NULL, NULL, false},
};
