/* SPDX-License-Identifier: MIT */
/* See guardian.h. */
#include "tools/monitor/guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <trace.h>
#include <unistd.h>

#include "tools/lib/fds.h"

/* Controllers that are killed one after the other, each within a second, die of
 * what they have to do. */
#define DEATHS_MAX 30

/* The end of the pipe by which a controller says that there is a stream; -1: it
 * has been said. */
static int begun_fd = -1;

static void close_begun(void)
{
	if (begun_fd >= 0)
		close(begun_fd);
	begun_fd = -1;
}

void ptl_guardian_begin(void)
{
	ssize_t written;

	if (begun_fd < 0)
		return;
	do
		written = write(begun_fd, "", 1);
	while (written < 0 && errno == EINTR);
	close_begun();
}

static bool has_begun(int fd)
{
	ssize_t got;
	char byte;

	do
		got = read(fd, &byte, 1);
	while (got < 0 && errno == EINTR);
	close(fd);
	return got == 1;
}

static int wait_for(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 0;
	return status;
}

/* Is another to follow so soon? */
static bool is_often(void)
{
	static struct timespec last;
	static int deaths;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	deaths = now.tv_sec - last.tv_sec > 1 ? 1 : deaths + 1;
	last = now;
	return deaths > DEATHS_MAX;
}

/* Signals for all processes of a session, or by name, mean the controller,
 * which knows what to do: then this process ends with it. */
static void be_guardian(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "ptrace-guardian");
}

/* Returns as a new process after each that was killed. */
static void follow(pid_t child)
{
	int status = wait_for(child);

	while (WIFSIGNALED(status) && !is_often()) {
		child = fork();
		if (child == 0)
			return;
		if (child < 0)
			break;
		status = wait_for(child);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

struct ptl_ward *ptl_guardian_become(int log_fd, bool *is_next)
{
	struct ptl_ward *ward =
		mmap(NULL, sizeof(*ward), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int begun[2];
	pid_t child;

	*is_next = false;
	if (ward == MAP_FAILED)
		return NULL;
	if (pipe2(begun, O_CLOEXEC) != 0)
		return ward;
	begun_fd = begun[1];
	child = fork();
	if (child <= 0)
		close(begun[0]);
	if (child < 0)
		close_begun();
	if (child <= 0)
		return ward;
	be_guardian();
	close_begun();
	/* Without a stream there is nothing to go on with. */
	if (!has_begun(begun[0]) || posix_trace_guard_np(log_fd) != 0)
		_exit(WEXITSTATUS(wait_for(child)));
	follow(child);
	prctl(PR_SET_NAME, "ptrace-monitor");
	*is_next = true;
	return ward;
}
