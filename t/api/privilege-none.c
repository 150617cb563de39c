/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog: ESRCH for what is no process, EPERM for
 * the kernel's own; a process without the library, or ended, gives no events; a
 * create that fails uses nothing up.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define MARK ((trace_id_t)4711)

static int log_fd;

static void fails(pid_t pid, int want, const char *what)
{
	trace_id_t trid = MARK;

	is_int(posix_trace_create(pid, NULL, &trid), want, "%s", what);
	is_int(posix_trace_create_withlog(pid, NULL, log_fd, &trid), want,
	       "with log");
	ok(trid == MARK, "[privilege.14] no trid");
}

static _Atomic pid_t tid;

static void *be_there(void *arg)
{
	tid = gettid();
	proc_await(arg);
	return NULL;
}

static int nothing(struct proc *self, void *arg)
{
	(void)arg;
	return !proc_await(self);
}

/* A thread's id that is not its process's. */
static void check_thread(void)
{
	pthread_t thread;
	struct proc p;

	proc_start(&p, nothing, NULL);
	pthread_create(&thread, NULL, be_there, &p);
	while (!tid)
		sched_yield();
	fails(tid, ESRCH, "[privilege.10] a thread of ours");
	proc_tell(&p);
	proc_wait(&p);
	pthread_join(thread, NULL);
}

/* Of such a process there may be a stream, but nothing is in it. */
static int joined;

static int events(pid_t pid)
{
	struct event ev;
	struct posix_trace_info_np info;
	trace_id_t trid;
	int n = 0, err = posix_trace_create(pid, NULL, &trid);

	if (err)
		return -err;
	stream_start(trid);
	while (event_next(trid, &ev))
		n += ev.info.posix_pid == pid;
	posix_trace_get_info_np(trid, &info);
	joined = (int)info.processes;
	if (posix_trace_shutdown(trid))
		return -1000;
	return n;
}

static void check_zombie(void)
{
	siginfo_t info;
	pid_t pid;
	int n;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(0);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	n = events(pid);
	ok(n == 0 || n == -ESRCH, "[privilege.12] a zombie: %d", n);
	waitpid(pid, NULL, 0);
	fails(pid, ESRCH, "[privilege.8] one that was waited for");
}

static int is_kernels(pid_t pid)
{
	char path[64], line[256];
	int found = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		found |= strncmp(line, "Kthread:\t1", 10) == 0;
	if (file)
		fclose(file);
	return found;
}

static void check_kernel(void)
{
	if (is_kernels(2) && is_kernels(3)) {
		fails(2, EPERM, "[privilege.13] the kernel's first thread");
		fails(3, EPERM, "[privilege.13] another");
	} else {
		skip(6, "no threads of the kernel's to be seen");
	}
}

/* Nobody preloads the library there: who may trace it waits. */
static void check_init(void)
{
	int n = events(1);

	ok((n == 0 && joined == 0) || (n == -EPERM && geteuid() != 0),
	   "process 1: %d", n);
}

static void check_without_library(void)
{
	int pipes[2];
	pid_t pid;

	pipe(pipes);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(pipes[0], 0);
		close(pipes[0]);
		close(pipes[1]);
		execl("/bin/cat", "cat", (char *)NULL);
		_exit(127);
	}
	close(pipes[0]);
	thread_await_sleep(pid);
	is_int(events(pid), 0, "[privilege.7] a program without the library");
	close(pipes[1]);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid[TRACE_SYS_MAX], self;
	struct event ev;
	int n = 0;

	plan(3 * 6 + 12);
	log_fd = file_make();
	fails(INT_MAX, ESRCH, "[privilege.8] the largest number");
	fails(-2, ESRCH, "[privilege.9] -2");
	fails(INT_MIN, ESRCH, "[privilege.9] the smallest number");
	fails(-getpid(), ESRCH, "[privilege.9] our process group");
	check_thread();
	check_zombie();
	check_kernel();
	check_init();
	check_without_library();
	self = stream_make(0, NULL);
	stream_start(self);
	event_put(id, 1);
	ok(event_find(self, id, &ev) && ev.info.posix_pid == getpid(),
	   "[privilege.11] 0 is who calls");
	stream_end(self);
	for (int i = 0; i < 200; i++)
		posix_trace_create(INT_MAX, NULL, &self);
	for (int i = 0; i < 8; i++)
		n += posix_trace_create(0, NULL, &trid[i]) == 0;
	is_int(n, 8, "[privilege.14] after 200 that failed");
	while (n--)
		stream_end(trid[n]);
	is_int(lseek(log_fd, 0, SEEK_END), 0,
	       "[privilege.14] nothing was written");
	return done();
}
