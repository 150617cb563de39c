/* SPDX-License-Identifier: MIT */
/* See others.h. */
#include "tools/inject/others.h"

#if defined(__x86_64__) && defined(__GLIBC__)

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "tools/inject/borrow.h"
#include "tools/inject/incall.h"

#define LOOK_NS 20000
#define LOOKS (300000000 / LOOK_NS)

static long request(int what, pid_t tid, void *data)
{
	return ptrace((enum __ptrace_request)what, tid, NULL, data);
}

/* What the stop has ended is begun again, at once: if we are killed, too. */
static void mend(const struct ptl_others *others, struct ptl_other *other)
{
	static struct ptl_inject_thread thread;
	struct user_regs_struct *regs = &other->regs;
	const struct ptl_incall call = {
		(long)regs->orig_rax,
		{regs->rdi, regs->rsi, regs->rdx, regs->r10}};

	if ((long long)regs->orig_rax < 0 || (long long)regs->rax != -EINTR ||
	    !ptl_incall_begins_again(&call))
		return;
	thread.target = others->held->target;
	thread.tid = other->tid;
	if (ptl_thread_has_signal(&thread))
		return;
	regs->rip -= 2;
	regs->rax = regs->orig_rax;
	regs->orig_rax = (unsigned long long)-1;
	request(PTRACE_SETREGS, other->tid, regs);
}

/* Waits until it has stopped; a signal that comes is the thread's. */
static const char *await(pid_t tid, bool *is_gone)
{
	const struct timespec look = {0, LOOK_NS};

	for (int i = 0; i < LOOKS; i++) {
		int status;
		pid_t pid = waitpid(tid, &status, __WALL | WNOHANG);

		*is_gone = (pid < 0 && errno != EINTR) ||
			   (pid > 0 && !WIFSTOPPED(status));
		if (*is_gone)
			return NULL;
		if (pid <= 0) {
			nanosleep(&look, NULL);
			continue;
		}
		if (status >> 16 == PTRACE_EVENT_STOP)
			return WSTOPSIG(status) == SIGTRAP ? NULL :
							     "it is stopped";
		request(PTRACE_CONT, tid, (void *)(uintptr_t)WSTOPSIG(status));
	}
	return "a thread of it does not stop";
}

static const char *stop(struct ptl_others *others, pid_t tid)
{
	struct ptl_other *other = &others->thread[others->nr];
	bool is_gone = false;
	const char *why;

	if (others->nr == PTL_OTHERS_MAX)
		return "it has too many threads";
	if (request(PTRACE_SEIZE, tid, NULL) != 0)
		return errno == ESRCH ? NULL : "ptrace(2) is not permitted";
	other->tid = tid;
	others->nr++;
	request(PTRACE_INTERRUPT, tid, NULL);
	why = await(tid, &is_gone);
	if (why == NULL && !is_gone &&
	    request(PTRACE_GETREGS, tid, &other->regs) == 0)
		mend(others, other);
	else if (why == NULL)
		others->nr--;
	return why;
}

static bool is_known(const struct ptl_others *others, pid_t tid)
{
	for (size_t i = 0; i < others->nr; i++)
		if (others->thread[i].tid == tid)
			return true;
	return tid == others->held->tid;
}

/* Is any in a call that is not as before when it was stopped? */
static const char *look_before(DIR *threads, pid_t pid)
{
	const char *why = NULL;
	struct ptl_incall call;
	struct dirent *entry;

	while (why == NULL && (entry = readdir(threads)) != NULL) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0 && ptl_incall_read(&call, pid, tid) &&
		    ptl_incall_breaks(&call))
			why = "a thread of it is in a call that no stop may "
			      "interrupt (write, send ...)";
	}
	rewinddir(threads);
	return why;
}

/* All that are there now.  *nr: how many were not known. */
static const char *stop_new(struct ptl_others *others, DIR *threads, size_t *nr)
{
	const char *why = NULL;
	struct dirent *entry;

	*nr = 0;
	while (why == NULL && (entry = readdir(threads)) != NULL) {
		pid_t tid = atoi(entry->d_name);

		if (tid <= 0 || is_known(others, tid))
			continue;
		++*nr;
		why = stop(others, tid);
	}
	rewinddir(threads);
	return why;
}

const char *ptl_others_stop(struct ptl_others *others,
			    const struct ptl_inject_thread *held)
{
	pid_t pid = held->target->pid;
	const char *why = NULL;
	char path[64];
	size_t nr = 1;
	DIR *threads;

	others->held = held;
	others->nr = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	threads = opendir(path);
	if (threads == NULL)
		return "it has ended";
	why = look_before(threads, pid);
	/* Threads that run may make others meanwhile. */
	while (why == NULL && nr > 0)
		why = stop_new(others, threads, &nr);
	closedir(threads);
	if (why == NULL && ptl_borrow_vforks(pid))
		why = ptl_borrow_vforking;
	if (why != NULL)
		ptl_others_go(others);
	return why;
}

void ptl_others_go(struct ptl_others *others)
{
	for (size_t i = 0; i < others->nr; i++)
		request(PTRACE_DETACH, others->thread[i].tid, NULL);
	others->nr = 0;
}

#endif
