/* SPDX-License-Identifier: MIT */
/*
 * For ptrace-monitor, preloaded: the process that puts the recorder into a
 * static program is killed at one of its steps, each such process at the next
 * one; with $KILL_ALL at that one, and with it the controller and its guardian.
 * $KILL_AT is a file with a line for each that was killed.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char marks[4096]; /* the file; of one byte, and a line's end */
static int all;		 /* the step at which all are killed */
static pid_t helper;	 /* this process, if it is one */
static int at;		 /* its step */
static int step;	 /* at which it is killed */

static void __attribute__((constructor)) begin(void)
{
	const char *file = getenv("KILL_AT"), *where = getenv("KILL_ALL");

	if (file != NULL)
		snprintf(marks, sizeof(marks), "%s", file);
	all = where != NULL ? atoi(where) : 0;
}

static void kill_all(void)
{
	glob_t found;
	char path[64], line[256];
	int controller, guardian = 0;
	FILE *status;

	if (glob("/dev/shm/ptrace-*/ask.*", 0, NULL, &found) != 0)
		return;
	controller = atoi(strrchr(found.gl_pathv[0], '.') + 1);
	snprintf(path, sizeof(path), "/proc/%d/status", controller);
	status = fopen(path, "r");
	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		sscanf(line, "PPid: %d", &guardian);
	if (guardian > 1)
		kill(guardian, SIGKILL);
	kill(controller, SIGKILL);
}

static void die(void)
{
	int file = open(marks, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	ssize_t written = write(file, "x\n", 2);

	(void)written;
	if (all > 0)
		kill_all();
	kill(getpid(), SIGKILL);
}

/* Before a call: is it this one? */
static void count(void)
{
	if (helper == getpid() && ++at == step)
		die();
}

static void become_helper(void)
{
	struct stat st = {.st_size = 0};

	stat(marks, &st);
	helper = getpid();
	at = 0;
	step = all > 0 ? all : (int)(st.st_size / 2) + 1;
}

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Code is written in many of these. */
static int is_step(int request, const char *address)
{
	return request != PTRACE_PEEKTEXT &&
	       (request != PTRACE_POKETEXT || ((size_t)address & 31) == 0);
}

long ptrace(enum __ptrace_request request, ...)
{
	long (*real)(int, ...) = next("ptrace");
	va_list list;
	void *address, *data;
	pid_t pid;

	va_start(list, request);
	pid = va_arg(list, pid_t);
	address = va_arg(list, void *);
	data = va_arg(list, void *);
	va_end(list);
	if (request == PTRACE_SEIZE)
		become_helper();
	if (is_step(request, address))
		count();
	return real(request, pid, address, data);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	pid_t (*real)(pid_t, int *, int) = next("waitpid");

	count();
	return real(pid, status, options);
}

ssize_t send(int to, const void *bytes, size_t size, int flags)
{
	ssize_t (*real)(int, const void *, size_t, int) = next("send");

	count();
	return real(to, bytes, size, flags);
}

int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	int (*real)(struct pollfd *, nfds_t, int) = next("poll");

	count();
	return real(fds, nr, timeout);
}
