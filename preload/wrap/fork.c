/* SPDX-License-Identifier: MIT */
/*
 * How processes come to be, but for spawn.  A child with memory of its own
 * says so itself, as its first act: by the atfork handler (the library is
 * initialised first, so no handler of another library runs before ours) or
 * here.  Of one that is killed before its parent's call has told.  A child in
 * its parent's memory is only announced.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/hooks.h"
#include "preload/hook/pages.h"
#include "preload/hook/site.h"
#include "preload/hook/timer.h"
#include "preload/libc/env.h"

#include <errno.h>
#include <paths.h>
#include <stdarg.h>

/*
 * What children mostly call is found here, once: each of them would have to
 * read libc's tables into a memory that has none of these pages.
 */
static void look_up_early(void)
{
	PTL_LIBC(execve);
	PTL_LIBC(execvpe);
	PTL_LIBC(_exit);
}

static void begin_child(void)
{
	ptl_core_child();
	ptl_timer_forked();
}

/* Around one of the calls that copy the process; what that has returned. */
static void before_copy(struct ptl_core_copy *copy, const void *addr)
{
	look_up_early();
	ptl_core_copying(copy, addr);
}

static pid_t after_copy(struct ptl_core_copy *copy, pid_t pid)
{
	if (pid == 0)
		begin_child();
	else
		ptl_core_copied(copy, pid);
	return pid;
}

static pid_t copy_process(pid_t (*call)(void), const void *addr)
{
	struct ptl_core_copy copy;

	before_copy(&copy, addr);
	return after_copy(&copy, call());
}

PTL_ENTRY pid_t fork(void)
{
	return copy_process(PTL_LIBC(fork), PTL_SITE_CALLER);
}

PTL_EXPORT pid_t __fork(void) __attribute__((alias("fork"), nothrow));

PTL_ENTRY pid_t _Fork(void)
{
	return copy_process(PTL_LIBC(_Fork), PTL_SITE_CALLER);
}

PTL_ENTRY pid_t forkpty(int *master, char *name, const struct termios *termios,
			const struct winsize *size)
{
	pid_t (*call)(int *, char *, const struct termios *,
		      const struct winsize *) = PTL_LIBC(forkpty);
	struct ptl_core_copy copy;

	before_copy(&copy, PTL_SITE_CALLER);
	return after_copy(&copy, call(master, name, termios, size));
}

/* From now on a child may use this thread's reserve, and nothing new. */
static void child_in_our_memory_comes(bool parent_waits, const void *addr)
{
	if (!ptl_core_in_vfork_child())
		ptl_env_reserve(ptl_core_hands_down());
	ptl_core_vfork(parent_waits, addr);
}

PTL_ALIGNS void *ptl_vfork_hook(const void *addr)
{
	child_in_our_memory_comes(
		true, (const void *)ptl_site_plain((uintptr_t)addr));
	return (void *)PTL_LIBC(vfork);
}

struct clone_call {
	int (*fn)(void *arg);
	void *arg;
};

/* The call is on the parent's stack, of which this child has a copy. */
static int cloned(void *arg)
{
	struct clone_call call = *(struct clone_call *)arg;

	begin_child();
	return call.fn(call.arg);
}

PTL_ENTRY int clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
	struct clone_call call = {fn, arg};
	struct ptl_core_copy copy;
	pid_t *parent_tid, *child_tid;
	int pid;
	void *tls;
	va_list ap;

	va_start(ap, arg);
	parent_tid = va_arg(ap, pid_t *);
	tls = va_arg(ap, void *);
	child_tid = va_arg(ap, pid_t *);
	va_end(ap);

	/* First, since without CLONE_VM the child has a copy. */
	if (flags & CLONE_SETTLS)
		ptl_core_outsider_comes(tls);
	if (!(flags & CLONE_VM) && fn) {
		fn = cloned;
		arg = &call;
		ptl_core_copying(&copy, PTL_SITE_CALLER);
	} else if (!(flags & CLONE_THREAD)) {
		child_in_our_memory_comes(flags & CLONE_VFORK, PTL_SITE_CALLER);
	}
	pid = PTL_LIBC(clone)(fn, stack, flags, arg, parent_tid, tls,
			      child_tid);
	/* Else it lives in our memory, and goes on. */
	if (flags & CLONE_SETTLS &&
	    (flags & (CLONE_VM | CLONE_VFORK)) != CLONE_VM)
		ptl_core_outsider_gone(tls);
	if (fn == cloned)
		ptl_core_copied(&copy, pid);
	return pid;
}

PTL_EXPORT int __clone(int (*fn)(void *), void *stack, int flags, void *arg,
		       ...) __attribute__((alias("clone"), nothrow, leaf));

/* -1 with errno, as a libc function would. */
static int failure(long error)
{
	errno = (int)-error;
	return -1;
}

/* makedev(1, 3), which is a call in builds that do not optimise. */
#define NULL_DEVICE 0x103

static int open_null(void)
{
	struct ptl_kstat st;
	long ret;
	int fd;

	/* If it becomes 0, 1 or 2 it has to outlive an exec. */
	fd = (int)ptl_sys(SYS_openat, AT_FDCWD, _PATH_DEVNULL, O_RDWR, 0);
	if (fd < 0)
		return fd;
	ret = ptl_sys(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);
	if (ret == 0 && !(S_ISCHR(st.st_mode) && st.st_rdev == NULL_DEVICE))
		ret = -ENODEV;
	if (ret < 0) {
		ptl_sys_close(fd);
		return (int)ret;
	}
	return fd;
}

/*
 * Made anew as glibc has it: its parent's side leaves by an _exit() inside
 * libc that nobody can see.
 */
PTL_ENTRY int daemon(int nochdir, int noclose)
{
	pid_t pid = copy_process(PTL_LIBC(fork), PTL_SITE_CALLER);
	long ret;
	int fd;

	if (pid < 0)
		return -1;
	if (pid > 0) {
		ptl_core_exit(0);
		PTL_LIBC(_exit)(0);
	}
	ret = ptl_sys_pass(SYS_setsid, 0, 0, 0, 0, 0, 0);
	if (ret < 0)
		return failure(ret);
	if (!nochdir)
		ptl_sys_pass(SYS_chdir, (long)"/", 0, 0, 0, 0, 0);
	if (noclose)
		return 0;
	fd = open_null();
	if (fd < 0)
		return failure(fd);
	for (int i = 0; i < 3; i++)
		ptl_sys_pass(SYS_dup3, fd, i, 0, 0, 0, 0);
	if (fd > 2)
		ptl_sys_close(fd);
	return 0;
}

/* In glibc, but in no header; it is what pthread_atfork() calls. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void),
			     void (*child)(void), void *dso)
	__attribute__((weak));

PTL_ALIGNS static void at_fork(void)
{
	/* There are pages that a child does not inherit (madvise()). */
	ptl_pages_changed();
	begin_child();
}

void ptl_fork_init(void)
{
	if (__register_atfork)
		__register_atfork(NULL, NULL, at_fork, NULL);
}
