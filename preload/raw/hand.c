/* SPDX-License-Identifier: MIT */
/*
 * System calls that change what is traced, as preload/wrap/ has them for libc's
 * functions.  What makes a task that shares memory, or has a stack of its own,
 * and what does not return, is not made here: nothing of ours may be on the
 * stack then.
 */
#include "preload/raw/raw.h"

#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/hooks.h"
#include "preload/launch/launch.h"
#include "preload/libc/owncalls.h"
#include "preload/patch/patch.h"
#include "preload/wrap/by_number.h"
#include "preload/wrap/call.h"

#include <linux/sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

#if defined(__x86_64__)

#include <asm/prctl.h>

/* Struct ptl_raw says by itself what is to be done. */
enum { ITSELF, MADE };

static void result(struct ptl_raw *raw, long ret)
{
	raw->number = ret;
}

/* What libc would have returned and said. */
static int as_libc(long ret)
{
	if (ret >= 0 || ret < -4095)
		return (int)ret;
	errno = (int)-ret;
	return -1;
}

static int by_exec(struct ptl_raw *raw)
{
	bool at = raw->number == SYS_execveat;
	struct ptl_launch launch = {
		.by = at && raw->e & AT_EMPTY_PATH ? PTL_LAUNCH_PATH_OR_FD :
						     PTL_LAUNCH_PATH,
		.dir = at ? (int)raw->a : AT_FDCWD,
		.path = (const char *)(at ? raw->b : raw->a),
		.argv = (char *const *)(at ? raw->c : raw->b),
		.given = (char *const *)(at ? raw->d : raw->c),
		.addr = ptl_raw_caller(),
	};
	long number = raw->number, ret;

	ptl_exec_begin(&launch);
	do {
		ptl_raw_leaving();
		ret = at ? ptl_raw_pass(number, raw->a, raw->b, raw->c,
					(long)launch.env, raw->e, raw->f) :
			   ptl_raw_pass(number, raw->a, raw->b,
					(long)launch.env, raw->d, raw->e,
					raw->f);
		as_libc(ret);
	} while (ptl_exec_again(&launch));
	result(raw, ret);
	return MADE;
}

/* What is told of an end by exit() of a thread is of the process only in the
 * child of a vfork. */
static int by_exit(struct ptl_raw *raw)
{
	if (raw->number == SYS_exit_group || ptl_core_in_vfork_child())
		ptl_core_exit(raw->a & 0xff);
	return ITSELF;
}

/* A copy of the process, of this stack, too. */
static int by_copy(struct ptl_raw *raw)
{
	struct ptl_core_copy copy;
	long ret;

	ptl_core_copying(&copy, ptl_raw_caller());
	ret = ptl_raw_pass(raw->number, raw->a, raw->b, raw->c, raw->d, raw->e,
			   raw->f);
	if (ret == 0)
		ptl_core_child();
	else
		ptl_core_copied(&copy, as_libc(ret));
	result(raw, ret);
	return MADE;
}

static void child_in_our_memory_comes(bool parent_waits)
{
	if (!ptl_core_in_vfork_child())
		ptl_env_reserve(ptl_core_hands_down());
	ptl_core_vfork(parent_waits, ptl_raw_caller());
}

/* A child that has a stack of its own is seen at its first event. */
static int by_flags(struct ptl_raw *raw, uint64_t flags, bool has_stack)
{
	if (!(flags & CLONE_VM) && !has_stack)
		return by_copy(raw);
	if (flags & CLONE_VM && !(flags & CLONE_THREAD))
		child_in_our_memory_comes(flags & CLONE_VFORK);
	return ITSELF;
}

static int by_clone3(struct ptl_raw *raw)
{
	const struct clone_args *args = (const struct clone_args *)raw->a;

	if (raw->b < CLONE_ARGS_SIZE_VER0 ||
	    !ptl_call_readable(args, CLONE_ARGS_SIZE_VER0))
		return ITSELF;
	return by_flags(raw, args->flags, args->stack != 0);
}

static int by_clone(struct ptl_raw *raw)
{
	ptl_outsider_hook(raw->number, (unsigned long)raw->a,
			  (unsigned long)raw->b, (unsigned long)raw->d,
			  (unsigned long)raw->e);
	switch (raw->number) {
	case SYS_fork:
		return by_copy(raw);
	case SYS_vfork:
		child_in_our_memory_comes(true);
		return ITSELF;
	case SYS_clone3:
		return by_clone3(raw);
	default:
		return by_flags(raw, (uint64_t)raw->a, raw->b != 0);
	}
}

static void waited(const struct ptl_raw *raw, long ret, const int *status,
		   uint64_t since)
{
	int64_t value[6] = {(int)raw->a, (unsigned int)raw->c,
			    ret < 0 ? -1 : ret, ret < 0 ? -ret : 0};
	size_t nr = 4;

	if (ret > 0)
		value[nr++] = *status;
	value[nr++] = (int64_t)since;
	ptl_core_call(PTL_EV_SYNC_WAITPID, value, nr * sizeof(*value),
		      ptl_raw_caller());
}

/* Stopped and continued children are not reaped. */
static int by_wait(struct ptl_raw *raw)
{
	uint64_t since = ptl_core_call_begins(PTL_EV_SYNC_WAITPID);
	int own_status = 0, *status = raw->b ? (int *)raw->b : &own_status;
	struct rusage own_usage = {.ru_maxrss = 0},
		      *usage = raw->d ? (struct rusage *)raw->d : &own_usage;
	long ret = ptl_raw_pass(raw->number, raw->a, (long)status, raw->c,
				(long)usage, raw->e, raw->f);

	if (ret > 0 && (WIFEXITED(*status) || WIFSIGNALED(*status)))
		ptl_core_reaped((int)ret, *status, usage);
	if (since)
		waited(raw, ret, status, since);
	result(raw, ret);
	return MADE;
}

/* The recorder inside of static programs has no wrappers. */
static int by_action(struct ptl_raw *raw)
{
#if !defined(PTL_STATIC)
	const long arg[] = {raw->a, raw->b, raw->c, raw->d, raw->e, raw->f};

	ptl_by_number_action(ptl_raw_made, ptl_raw_caller(), arg);
	return MADE;
#else
	(void)raw;
	return ITSELF;
#endif
}

/* A signal that is sent; the call may end this process. */
static int by_kill(struct ptl_raw *raw)
{
	bool to_group = raw->number == SYS_tgkill;
	int64_t data[4] = {0, to_group ? raw->c : raw->b,
			   raw->number == SYS_tkill ? 0 : raw->a,
			   to_group		    ? raw->b :
			   raw->number == SYS_tkill ? raw->a :
						      0};
	long ret;

	for (int i = 1; i < 4; i++)
		data[i] = (int)data[i];
	ptl_core_call(PTL_EV_SIGNAL_SEND, data + 1, 3 * sizeof(*data),
		      ptl_raw_caller());
	ret = ptl_raw_pass(raw->number, raw->a, raw->b, raw->c, raw->d, raw->e,
			   raw->f);
	data[0] = -ret;
	if (ret < 0)
		ptl_core_call(PTL_EV_SIGNAL_SEND_FAILED, data, sizeof(data),
			      ptl_raw_caller());
	result(raw, ret);
	return MADE;
}

#if !defined(PTL_STATIC)
#define OTHER_STORAGE "its threads are not libc's"

/* Go's without cgo: all of its threads will be outsiders, as many as it likes.
 */
static bool is_go_without_libc(const struct ptl_raw *raw)
{
	return raw->number == SYS_arch_prctl && raw->a == ARCH_SET_FS &&
	       ptl_owncalls_is_go();
}
#endif

/* What is looked at before it is made: filters, the counter, and who has a
 * thread pointer of his own. */
static int by_look(struct ptl_raw *raw)
{
#if !defined(PTL_STATIC)
	int ret;

	if (is_go_without_libc(raw))
		ptl_raw_give_up(OTHER_STORAGE);
	if (raw->number != SYS_prctl) {
		ptl_syscall_hook(raw->number, (unsigned long)raw->a,
				 (unsigned long)raw->b, (const void *)raw->c,
				 (unsigned long)raw->d, (unsigned long)raw->e);
		return ITSELF;
	}
	ret = prctl((int)raw->a, raw->b, raw->c, raw->d, raw->e);
	result(raw, ret == -1 ? -errno : ret);
	return MADE;
#else
	if (raw->number == SYS_arch_prctl && raw->a == ARCH_SET_GS)
		ptl_raw_give_up(ptl_patch_gs);
	if (raw->number == SYS_prctl && raw->a == PR_SET_TSC)
		ptl_core_counter(raw->b != PR_TSC_SIGSEGV);
	ptl_syscall_hook(raw->number, (unsigned long)raw->a,
			 (unsigned long)raw->b, (const void *)raw->c,
			 (unsigned long)raw->d, (unsigned long)raw->e);
	return ITSELF;
#endif
}

static int (*find(long number))(struct ptl_raw *raw)
{
	switch (number) {
	case SYS_execve:
	case SYS_execveat:
		return by_exec;
	case SYS_exit:
	case SYS_exit_group:
		return by_exit;
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
	case SYS_clone3:
		return by_clone;
	case SYS_wait4:
		return by_wait;
	case SYS_rt_sigaction:
		return by_action;
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
		return by_kill;
	case SYS_seccomp:
	case SYS_prctl:
	case SYS_arch_prctl:
		return by_look;
	default:
		return NULL;
	}
}

int ptl_raw_by_hand(struct ptl_raw *raw)
{
	int (*call)(struct ptl_raw *) = find(raw->number);

	return call ? call(raw) : -1;
}

bool ptl_raw_is_by_hand(long number)
{
	return find(number) != NULL;
}

#endif
