/* SPDX-License-Identifier: MIT */
/* See hook.h. */
#include "tools/inject/hook.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GLIBC__)

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <trace.h>

#include "tools/inject/borrow.h"
#include "tools/inject/loaded.h"
#include "tools/inject/points.h"
#include "tools/inject/target.h"
#include "tools/inject/thread.h"
#include "tools/inject/writing.h"

#define HOOK "posix_trace_hook_np"

/* To borrow a thread, for three seconds; to find all where they may be. */
#define PAUSE_NS 2000000
#define TRIES 1500
#define ROUNDS 500
#define VAIN_ROUNDS 20 /* that have stopped all, and written nothing more */

/* Beside the ways back, on the thread's stack. */
struct text {
	struct posix_trace_hook_np hook;
	char settings[PTL_THREAD_TEXT - sizeof(struct posix_trace_hook_np)];
};

static void pause_for(long ns)
{
	const struct timespec pause = {0, ns};

	nanosleep(&pause, NULL);
}

static const char were_there[] = "threads of it were in them";

/* NULL: all that can be written is. */
static const char *write_once(struct ptl_writing *writing,
			      const struct ptl_inject_thread *thread)
{
	static struct ptl_others others;
	const char *why = ptl_others_stop(&others, thread);

	if (why != NULL)
		return why;
	if (!ptl_points_find(&others) ||
	    !ptl_writing_write(writing, thread->target))
		why = "its memory cannot be written";
	else if (writing->left > writing->hopeless)
		why = were_there;
	ptl_others_go(&others);
	return why;
}

/* What is left, and why. */
static void write_all(struct ptl_writing *writing,
		      const struct ptl_inject_thread *thread,
		      struct posix_trace_hook_np *hook)
{
	const char *why = NULL;
	uint64_t left;

	for (int i = 0, vain = 0; i < ROUNDS && vain < VAIN_ROUNDS; i++) {
		left = writing->left;
		why = write_once(writing, thread);
		if (why == NULL)
			break;
		if (why == were_there)
			vain = writing->left < left ? 0 : vain + 1;
		pause_for(PAUSE_NS);
	}
	if (why == NULL)
		why = "on two pages, or not as in the file";
	hook->left = writing->left;
	snprintf(hook->why, sizeof(hook->why), "%s", why);
}

static const char *finish(struct ptl_inject_thread *thread, uintptr_t function,
			  struct posix_trace_hook_np *hook)
{
	const uint64_t end[5] = {0, thread->text};
	pid_t pid = thread->target->pid;
	struct ptl_writing writing = {0};

	if (hook->nr > 0 &&
	    ptl_writing_read(&writing, pid, (uintptr_t)hook->pending, hook->nr))
		write_all(&writing, thread, hook);
	ptl_writing_free(&writing);
	if (!ptl_target_write(pid, thread->text, hook, sizeof(*hook)))
		return "its stack cannot be written";
	return ptl_thread_call(thread, function, end);
}

static const char *call(struct ptl_inject_thread *thread, uintptr_t function,
			const struct text *text)
{
	pid_t pid = thread->target->pid;
	struct posix_trace_hook_np hook;
	const char *why = ptl_thread_prepare(thread, text, sizeof(*text));
	uint64_t begin[5] = {0};

	if (why != NULL)
		return why;
	begin[0] = thread->text + offsetof(struct text, settings);
	begin[1] = thread->text;
	why = ptl_borrow_vforks(pid) ? ptl_borrow_vforking :
				       ptl_thread_call(thread, function, begin);
	if (why == NULL &&
	    !ptl_target_read(pid, thread->text, &hook, sizeof(hook)))
		why = "its stack cannot be read";
	if (why == NULL && hook.nr == text->hook.nr)
		why = "the library refuses (a filter of system calls, or it "
		      "is not traced)";
	else if (why == NULL)
		why = finish(thread, function, &hook);
	ptl_thread_release(thread);
	return why;
}

static const char *borrow_and_call(const struct ptl_inject_target *target,
				   uintptr_t function, const struct text *text)
{
	static struct ptl_inject_thread thread;
	const char *why = NULL;

	for (int i = 0; i < TRIES; i++) {
		why = ptl_borrow(&thread, target);
		if (why == NULL) {
			why = call(&thread, function, text);
			if (why != ptl_borrow_vforking)
				return why;
		}
		pause_for(PAUSE_NS);
	}
	return why;
}

const char *ptl_inject_hook(pid_t pid, const char *library,
			    const char *settings, size_t size)
{
	/* What is not answered keeps its number. */
	static struct text text = {.hook.nr = ~0ull};
	struct ptl_inject_target target;
	struct ptl_injected loaded;
	uintptr_t function;
	const char *why;

	if (size > sizeof(text.settings))
		return "the patterns are too long";
	memcpy(text.settings, settings, size);
	ptl_loaded_find(&loaded, pid, library);
	function = ptl_loaded_function(&loaded, library, HOOK);
	if (function == 0)
		return "it has another libptrace.so";
	why = ptl_target_refuse(pid);
	if (why == NULL)
		why = ptl_target_open(&target, pid);
	return why != NULL ? why : borrow_and_call(&target, function, &text);
}

#else

const char *ptl_inject_hook(pid_t pid, const char *library,
			    const char *settings, size_t size)
{
	(void)pid, (void)library, (void)settings, (void)size;
	return "that can be done on x86-64, with GNU libc, only";
}

#endif
