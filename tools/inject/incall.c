/* SPDX-License-Identifier: MIT */
#include "tools/inject/incall.h"

#if defined(__x86_64__)

#include <inttypes.h>
#include <linux/sched.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "tools/inject/maps.h"
#include "tools/inject/target.h"

bool ptl_incall_read(struct ptl_incall *call, pid_t pid, pid_t tid)
{
	uint64_t *arg = call->argument;
	char name[64];
	FILE *file;
	int got;

	snprintf(name, sizeof(name), "task/%d/syscall", (int)tid);
	file = ptl_maps_open(pid, name);
	if (file == NULL)
		return false;
	/* Number and arguments; or "running"; or -1 and where: in no call. */
	got = fscanf(file,
		     "%ld %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
		     " %" SCNx64 " %" SCNx64,
		     &call->number, &arg[0], &arg[1], &arg[2], &arg[3], &arg[4],
		     &arg[5]);
	fclose(file);
	return got == 7 && call->number >= 0;
}

/* Not write(2), nor what waits for all of something (MSG_WAITALL): stopped in
 * the midst of it, it returns a part. */
bool ptl_incall_waits(const struct ptl_incall *call)
{
	switch (call->number) {
	case SYS_read:
	case SYS_readv:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_wait4:
	case SYS_waitid:
	case SYS_accept:
	case SYS_accept4:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_pause:
		return true;
	case SYS_recvfrom:
		return !(call->argument[3] & MSG_WAITALL);
	case SYS_recvmsg:
		return !(call->argument[2] & MSG_WAITALL);
	default:
		return false;
	}
}

bool ptl_incall_may_wait(const struct ptl_incall *call)
{
	return call->number == SYS_restart_syscall || ptl_incall_waits(call);
}

bool ptl_incall_breaks(const struct ptl_incall *call)
{
	switch (call->number) {
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_pwritev2:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_sendfile:
	case SYS_splice:
	case SYS_vmsplice:
	case SYS_tee:
	case SYS_copy_file_range:
	case SYS_recvmmsg:
	case SYS_connect:
	case SYS_close:
		return true;
	case SYS_recvfrom:
		return (call->argument[3] & MSG_WAITALL) != 0;
	case SYS_recvmsg:
		return (call->argument[2] & MSG_WAITALL) != 0;
	default:
		return false;
	}
}

bool ptl_incall_begins_again(const struct ptl_incall *call)
{
	switch (call->number) {
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_io_getevents:
	case SYS_io_uring_enter:
	case SYS_epoll_pwait2:
	case SYS_futex:
	case SYS_msgrcv:
	case SYS_msgsnd:
		return true;
	default:
		return ptl_incall_waits(call);
	}
}

bool ptl_incall_vforks(const struct ptl_incall *call, pid_t pid)
{
	uint64_t flags = CLONE_VFORK;

	switch (call->number) {
	case SYS_vfork:
		return true;
	case SYS_clone:
		return (call->argument[0] & CLONE_VFORK) != 0;
	case SYS_clone3: /* if they cannot be read it is one */
		ptl_target_read(pid, call->argument[0], &flags, sizeof(flags));
		return (flags & CLONE_VFORK) != 0;
	default:
		return false;
	}
}

#endif
