/* SPDX-License-Identifier: MIT */
/* Finds a thread, and a moment; see inject.h. */
#include "tools/inject/inject.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GLIBC__)

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/inject/maps.h"
#include "tools/inject/target.h"
#include "tools/inject/thread.h"

#define RTLD_NOW 2 /* of the process' libc */
#define INTERPOSE "posix_trace_interpose_np"

/* For three seconds. */
#define PAUSE_NS 2000000
#define TRIES 1500

/* Had it the library in LD_PRELOAD when it was started? */
static bool is_preloaded(pid_t pid, const char *name)
{
	FILE *environment = ptl_maps_open(pid, "environ");
	char *entry = NULL;
	bool found = false;
	size_t room = 0;

	while (environment != NULL && !found &&
	       getdelim(&entry, &room, '\0', environment) > 0)
		found = strncmp(entry, "LD_PRELOAD=", 11) == 0 &&
			strstr(entry, name) != NULL;
	free(entry);
	if (environment != NULL)
		fclose(environment);
	return found;
}

/* To be seen without stopping it. */
static bool is_waiting(pid_t pid, const char *tid)
{
	char file[300], first = '\0';
	FILE *call;

	snprintf(file, sizeof(file), "task/%s/syscall", tid);
	call = ptl_maps_open(pid, file);
	if (call != NULL && fread(&first, 1, 1, call) != 1)
		first = '\0';
	if (call != NULL)
		fclose(call);
	/* "running", or -1 and where: in no call. */
	return first >= '0' && first <= '9';
}

/* Any thread that may be borrowed now; NULL, or why none. */
static const char *find_thread(struct ptl_thread *thread,
			       const struct ptl_target *target)
{
	const char *why = "none of its threads waits for something";
	struct dirent *entry;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)target->pid);
	tasks = opendir(path);
	if (tasks == NULL)
		return "it has ended";
	while (why != NULL && (entry = readdir(tasks)) != NULL)
		if (atoi(entry->d_name) > 0 &&
		    is_waiting(target->pid, entry->d_name))
			why = ptl_thread_hold(thread, target,
					      atoi(entry->d_name));
	closedir(tasks);
	return why;
}

static const char *borrow(struct ptl_thread *thread,
			  const struct ptl_target *target)
{
	const struct timespec pause = {0, PAUSE_NS};
	const char *why = NULL;

	for (int i = 0; i < TRIES; i++) {
		why = find_thread(thread, target);
		if (why == NULL)
			return NULL;
		nanosleep(&pause, NULL);
	}
	return why;
}

static const char *load(struct ptl_thread *thread, const char *library)
{
	const struct ptl_target *target = thread->target;
	const uint64_t none[5] = {0};
	uint64_t open[5] = {0, RTLD_NOW};
	const char *why = ptl_thread_prepare(thread, library);
	uintptr_t interpose;

	open[0] = thread->path;
	if (why == NULL)
		why = ptl_thread_call(thread, target->dlopen, open);
	if (why != NULL)
		return why;
	interpose = ptl_target_function(target, library, INTERPOSE);
	if (interpose != 0)
		why = ptl_thread_call(thread, interpose, none);
	if (why != NULL)
		return why;
	ptl_thread_release(thread);
	return interpose != 0 ? NULL : "its dynamic loader did not load it";
}

const char *ptl_inject(pid_t pid, const char *library)
{
	const char *name = strrchr(library, '/');
	static struct ptl_thread thread;
	struct ptl_target target;
	struct ptl_mapping mapping;
	const char *why;

	name = name != NULL ? name + 1 : library;
	if (ptl_maps_file(pid, name, &mapping) && is_preloaded(pid, name))
		return NULL;
	why = ptl_target_refuse(pid);
	if (why == NULL)
		why = ptl_target_open(&target, pid);
	if (why == NULL)
		why = borrow(&thread, &target);
	return why == NULL ? load(&thread, library) : why;
}

#else

const char *ptl_inject(pid_t pid, const char *library)
{
	(void)pid, (void)library;
	return "that can be done on x86-64, with GNU libc, only";
}

#endif
