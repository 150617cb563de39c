/* SPDX-License-Identifier: MIT */
/*
 * A thread that waits in a system call, borrowed to call functions.
 *
 * We may be killed at any moment, and the thread goes on then with what it was
 * given.  So there is always a way back on its stack: the frame that the kernel
 * would have made for a signal's handler, with all that the thread had, behind
 * the frames of the functions that it calls.  They return to libc's code that
 * calls rt_sigreturn(2).  Only one thing is not as it was then: what the thread
 * waited for it waits for anew.  While we live that is seen to, too: the thread
 * stops before rt_sigreturn(2), and gets back its registers from us.
 */
#ifndef PTL_TOOLS_INJECT_THREAD_H
#define PTL_TOOLS_INJECT_THREAD_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/user.h>

#include "tools/inject/target.h"

#define PTL_XSTATE_SIZE 16384
#define PTL_THREAD_TEXT 12288

struct ptl_inject_thread {
	const struct ptl_inject_target *target;
	pid_t tid;
	struct user_regs_struct exact; /* in its call */
	struct user_regs_struct again; /* about to begin it again */
	bool is_known;		       /* is that so? */
	uint64_t mask;
	unsigned char
		xstate[PTL_XSTATE_SIZE]; /* vector registers and the like */
	size_t xstate_size;
	uintptr_t text;	       /* on its stack: what functions are given */
	uintptr_t back, clean; /* ways back: as it was; the same after errno */
	uintptr_t errno_at;
	int saved_errno;
};

/*
 * Stops it and sees whether it can be borrowed: NULL, or why not; then it goes
 * on as if nothing had been.
 */
const char *ptl_thread_hold(struct ptl_inject_thread *thread,
			    const struct ptl_inject_target *target, pid_t tid);

/* Makes the ways back, and puts at most PTL_THREAD_TEXT bytes beside them. */
const char *ptl_thread_prepare(struct ptl_inject_thread *thread,
			       const void *text, size_t size);

/* Calls a function with these arguments, with all signals blocked; it comes
 * back to us. */
const char *ptl_thread_call(struct ptl_inject_thread *thread,
			    uintptr_t function, const uint64_t argument[5]);

/* Does it go to a handler before it goes on? */
bool ptl_thread_has_signal(const struct ptl_inject_thread *thread);

/* The thread goes on, in its call. */
void ptl_thread_release(struct ptl_inject_thread *thread);

#endif
