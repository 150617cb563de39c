/* SPDX-License-Identifier: MIT */
/*
 * Which process is meant, and whether it is still there.  A pid may be used
 * again, so an identity is (pid namespace, pid, first seen at): a process
 * started after that moment is another one.  /proc is read by controllers,
 * and on paths that are taken once; nothing here uses stdio or the heap.
 */
#ifndef PTL_CORE_SYS_IDENT_H
#define PTL_CORE_SYS_IDENT_H

#include "core/format/layout.h"
#include "core/sys/timens.h"
#include "core/sys/pidns.h"

#include <pthread.h>

/* Our pid namespace, as this process found it when it began; 0: not yet. */
extern uint64_t ptl_ident_pidns __attribute__((visibility("hidden")));

/* Our pid namespace, asked for if need be: a process does not change its own.
 */
PTL_INLINE uint64_t ptl_ident_our_pidns(void)
{
	return ptl_ident_pidns ? ptl_ident_pidns : ptl_pidns();
}

/* pthread_self().  Not by the call: to a fork child libc's page with it would
 * be a further one that it has to be given. */
PTL_INLINE uint64_t ptl_ident_thread(void)
{
#if defined(__x86_64__)
	uint64_t self;

	__asm__("mov %%fs:0, %0" : "=r"(self));
	return self;
#else
	return (uint64_t)pthread_self();
#endif
}

/* The calling process, as far as it can be told without /proc: that is not when
 * it was first seen, and the namespace is the one given. */
void ptl_ident_guess(struct ptl_shm_ident *ident, uint64_t pidns);

/* The calling process, first seen now. */
void ptl_ident_self(struct ptl_shm_ident *ident);

/* Who we are, in a fork child, given its parent's. */
void ptl_ident_child(struct ptl_shm_ident *ident);

/*
 * Of another process by the pid that it has here, first seen now; uid is the
 * effective one.  The identity is as the process itself knows it: if it is in a
 * pid namespace below ours, with its number there.  Returns 0, ESRCH (also for
 * the id of a further thread), or EPERM: that is hidden from us, or it is a
 * thread of the kernel's, which runs no program.
 */
int ptl_ident_of(int pid, struct ptl_shm_ident *ident);

enum ptl_life {
	PTL_LIFE_GONE,	 /* dead and reaped, or the pid is another's */
	PTL_LIFE_ZOMBIE, /* dead, not yet reaped */
	PTL_LIFE_ALIVE,	 /* or not known (another namespace) */
};

/* `wait_status', if not NULL, receives a zombie's exit status as wait(2)
 * would give it, or -1 if it cannot be read. */
enum ptl_life ptl_ident_life(const struct ptl_shm_ident *ident,
			     int *wait_status);

/* Does /proc show that it lives?  Its namespace is the caller's. */
bool ptl_ident_is_shown(const struct ptl_shm_ident *ident);

/*
 * Given that pid and namespace are the caller's: is it the caller, or a dead
 * process that had the pid before?  For the start of every process: the same
 * answer as ptl_ident_life() for half the system calls.
 */
bool ptl_ident_is_me(const struct ptl_shm_ident *ident);

/*
 * Has the main thread left, by pthread_exit(), and are there so many others and
 * no more?  Whatever namespace /proc is of, it knows the process that asks.
 * False if it is not known.
 */
bool ptl_ident_left_to(unsigned int threads);

/* Does a thread of that id run in our namespace?  Not one that has left: a main
 * thread after pthread_exit() is shown as a zombie. */
bool ptl_tid_alive(int tid);

/*
 * Is the thread dead, stopped, or asleep: can it not be expected to go on
 * within a moment?  False if that is not known.
 */
bool ptl_tid_idle(int tid);

/* Parent of a process, from /proc; 0 if it is not known. */
int ptl_proc_parent(int pid);

/* May we send it a signal?  0, EPERM, or ESRCH: the rule of create(). */
int ptl_proc_permission(int pid);

/*
 * Is a file of that name mapped by that process, deleted or not, in whatever
 * directory?  Another root or mount namespace has another path to it, and on
 * some file systems another device.  True if it is not known.
 */
bool ptl_proc_maps(int pid, const char *name);

/* The kernel's boot id: 36 characters and nulls into buf of 40 bytes; all nulls
 * if it is not known. */
void ptl_boot_id(char *buf);

#endif
