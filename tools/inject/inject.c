/* SPDX-License-Identifier: MIT */
/* Finds a thread, and a moment; see inject.h. */
#include "tools/inject/inject.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GLIBC__)

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/inject/borrow.h"
#include "tools/inject/loaded.h"
#include "tools/inject/maps.h"
#include "tools/inject/target.h"
#include "tools/inject/thread.h"

#define RTLD_NOW 2 /* of the process' libc */
#define INTERPOSE "posix_trace_interpose_np"

/* How long is tried. */
#define PATIENCE_S 3
#define PAUSE_NS 2000000
/* That long a program may take to begin, on a busy machine. */
#define LOADING_NS 200000000

/* Had it the library in LD_PRELOAD when it was started, by the name of its file
 * or of a link to it? */
static bool is_preloaded(pid_t pid, const char *name)
{
	FILE *environment = ptl_maps_open(pid, "environ");
	char *entry = NULL;
	bool found = false;
	size_t room = 0;

	while (environment != NULL && !found &&
	       getdelim(&entry, &room, '\0', environment) > 0)
		found = strncmp(entry, "LD_PRELOAD=", 11) == 0 &&
			(strstr(entry, "/libptrace.so") != NULL ||
			 strstr(entry, name) != NULL);
	free(entry);
	if (environment != NULL)
		fclose(environment);
	return found;
}

/* The loader has had its time: look again.  Between this and the first slot
 * that leads to us there are microseconds. */
static const char *interpose(struct ptl_inject_thread *thread,
			     uintptr_t function)
{
	pid_t pid = thread->target->pid;
	const uint64_t none[5] = {0};

	return ptl_borrow_vforks(pid) ? ptl_borrow_vforking :
					ptl_thread_call(thread, function, none);
}

/* Unless it is there already. */
static const char *open_library(struct ptl_inject_thread *thread,
				const char *library,
				struct ptl_injected *loaded)
{
	const uint64_t open[5] = {thread->text, RTLD_NOW};
	pid_t pid = thread->target->pid;
	const char *why;

	ptl_loaded_find(loaded, pid, library);
	if (loaded->base != 0)
		return NULL;
	why = ptl_thread_call(thread, thread->target->dlopen, open);
	if (why == NULL)
		ptl_loaded_find(loaded, pid, library);
	return why;
}

static const char *load(struct ptl_inject_thread *thread, const char *library)
{
	const char *why =
		ptl_thread_prepare(thread, library, strlen(library) + 1);
	struct ptl_injected loaded;
	uintptr_t function;

	if (why == NULL)
		why = open_library(thread, library, &loaded);
	if (why != NULL)
		return why;
	function = ptl_loaded_function(&loaded, library, INTERPOSE);
	if (function != 0)
		why = interpose(thread, function);
	else if (loaded.base != 0)
		why = "the library's file was replaced in this moment";
	else
		why = "its dynamic loader did not load it";
	if (why == NULL || why == ptl_borrow_vforking || function == 0)
		ptl_thread_release(thread);
	return why;
}

/* ---- programs that follow one another ------------------------------ */

/* What the kernel gave the program, random bytes and addresses: another one's
 * is another. */
struct image {
	char auxv[512];
	size_t size;
};

static void see(struct image *image, pid_t pid)
{
	FILE *auxv = ptl_maps_open(pid, "auxv");

	image->size = 0;
	if (auxv != NULL) {
		image->size = fread(image->auxv, 1, sizeof(image->auxv), auxv);
		fclose(auxv);
	}
	/* All zero in the midst of an exec: so may that be of another one. */
	if (image->size > 0 && image->auxv[0] == AT_NULL)
		image->size = 0;
}

static bool is_another(const struct image *image, pid_t pid)
{
	struct image now;

	see(&now, pid);
	return now.size == 0 || now.size != image->size ||
	       memcmp(now.auxv, image->auxv, now.size) != 0;
}

static bool is_late(const struct timespec *begun)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - begun->tv_sec >= PATIENCE_S;
}

static const char *borrow_and_load(const struct ptl_inject_target *target,
				   const char *library,
				   const struct image *image,
				   const struct timespec *begun)
{
	const struct timespec pause = {0, PAUSE_NS};
	static struct ptl_inject_thread thread;
	const char *why;

	do {
		why = ptl_borrow(&thread, target);
		if (why == NULL) {
			why = load(&thread, library);
			if (why != ptl_borrow_vforking)
				return why;
		}
		nanosleep(&pause, NULL);
	} while (!is_late(begun) && !is_another(image, target->pid));
	return why;
}

static const char *attempt(pid_t pid, const char *library,
			   const struct image *image,
			   const struct timespec *begun)
{
	struct ptl_inject_target target;
	const char *why = ptl_target_refuse(pid);

	if (why == NULL)
		why = ptl_target_open(&target, pid);
	return why != NULL ? why :
			     borrow_and_load(&target, library, image, begun);
}

/*
 * Why it cannot be is true of a program that stays only: one that has just
 * begun has no libc yet, and one that is about to execute another has no file.
 * So a reason counts when it is the same a while later.
 */
static const char *attempt_until(pid_t pid, const char *library)
{
	const struct timespec loading = {0, LOADING_NS};
	char before[128] = "";
	struct timespec begun;
	const char *why;
	struct image image;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	see(&image, pid);
	do {
		why = attempt(pid, library, &image, &begun);
		if (why == NULL)
			return NULL;
		if (is_another(&image, pid)) {
			see(&image, pid);
			before[0] = '\0';
			continue;
		}
		if (strncmp(why, before, sizeof(before) - 1) == 0)
			return why;
		snprintf(before, sizeof(before), "%s", why);
		nanosleep(&loading, NULL);
	} while (!is_late(&begun));
	return before[0] == '\0' || is_another(&image, pid) ?
		       "it executes one program after another" :
		       why;
}

/* The library is marked as never to be unloaded: so one is told that it stays.
 */
static const char *say_what_stays(pid_t pid, const char *library,
				  const char *why)
{
	static char text[256];
	struct ptl_injected loaded;

	ptl_loaded_find(&loaded, pid, library);
	if (loaded.base == 0)
		return why;
	snprintf(text, sizeof(text),
		 "%s; it is loaded, stays there, and records nothing", why);
	return text;
}

const char *ptl_inject(pid_t pid, const char *library)
{
	struct ptl_injected loaded;
	const char *why;

	ptl_loaded_find(&loaded, pid, library);
	if (loaded.base != 0 && is_preloaded(pid, loaded.name))
		return NULL;
	if (loaded.base != 0 && !loaded.is_ours)
		return "it has another libptrace.so already";
	why = attempt_until(pid, library);
	return why == NULL ? NULL : say_what_stays(pid, library, why);
}

#else

const char *ptl_inject(pid_t pid, const char *library)
{
	(void)pid, (void)library;
	return "that can be done on x86-64, with GNU libc, only";
}

#endif
