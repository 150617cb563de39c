/* SPDX-License-Identifier: MIT */
#include "tools/inject/borrow.h"

#if defined(__x86_64__) && defined(__GLIBC__)

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/inject/incall.h"

static DIR *open_threads(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return opendir(path);
}

/* The next thread that is in a system call; 0: no more. */
static pid_t next_in_call(DIR *threads, pid_t pid, struct ptl_incall *call)
{
	struct dirent *entry;

	while ((entry = readdir(threads)) != NULL) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0 && ptl_incall_read(call, pid, tid))
			return tid;
	}
	return 0;
}

const char ptl_borrow_vforking[] = "a child of it has its memory (vfork)";

/* Such a child goes on by our wrappers: to them it would be the thread that
 * waits for it. */
static bool is_vforking(DIR *threads, pid_t pid)
{
	struct ptl_incall call;
	bool found = false;

	while (!found && next_in_call(threads, pid, &call) > 0)
		found = ptl_incall_vforks(&call, pid);
	rewinddir(threads);
	return found;
}

bool ptl_borrow_vforks(pid_t pid)
{
	DIR *threads = open_threads(pid);
	bool found = threads == NULL || is_vforking(threads, pid);

	if (threads != NULL)
		closedir(threads);
	return found;
}

const char *ptl_borrow(struct ptl_inject_thread *thread,
		       const struct ptl_inject_target *target)
{
	const char *why = "none of its threads waits for something";
	DIR *threads = open_threads(target->pid);
	struct ptl_incall call;
	pid_t tid;

	if (threads == NULL)
		return "it has ended";
	if (is_vforking(threads, target->pid))
		why = ptl_borrow_vforking;
	else
		while (why != NULL &&
		       (tid = next_in_call(threads, target->pid, &call)) > 0)
			if (ptl_incall_may_wait(&call))
				why = ptl_thread_hold(thread, target, tid);
	closedir(threads);
	return why;
}

#endif
