/* SPDX-License-Identifier: MIT */
/*
 * What calls point to that is no string: options of sockets, sets of
 * descriptors, locks of files, what an ioctl() took or told.  Recorded as it
 * is, or as core/format/values.h has it; the tools know what it means.
 */
#ifndef PTL_PRELOAD_WRAP_VALUES_H
#define PTL_PRELOAD_WRAP_VALUES_H

#include "core/format/values.h"
#include "core/sys/syscall.h"

#include "preload/wrap/call.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* Of poll(), which has read all of them if it succeeded. */
static inline struct ptl_call_bytes polled(const struct pollfd *fds,
					   nfds_t count)
{
	return (struct ptl_call_bytes){
		fds, PTL_MIN(count, (nfds_t)PTL_POLLFDS_MAX) * sizeof(*fds)};
}

/* What select() was asked, and then what is ready of it. */
struct ptl_selected {
	uint32_t entry[PTL_SELECTFDS_MAX];
	unsigned int nr;
	int64_t timeout; /* ms; -1: for ever */
};

/* Before the call, which changes them: so any pointer may be bad.  The time is
 * a struct timespec, or else a struct timeval. */
void ptl_selected_ask(struct ptl_selected *selected, int count,
		      fd_set *const set[3], const void *time, bool is_timespec);

/* After it; which are ready is known only if it succeeded. */
struct ptl_call_bytes ptl_selected_told(struct ptl_selected *selected,
					fd_set *const set[3], bool failed);

/* What epoll_wait() told, without gaps. */
struct ptl_epolled {
	unsigned char bytes[PTL_EPOLLFDS_MAX * PTL_EPOLLFD_SIZE];
};

struct ptl_call_bytes ptl_epolled_told(struct ptl_epolled *epolled,
				       const struct epoll_event *events,
				       int count);

/* The descriptors that went with a message; nothing, if it did not go. */
struct ptl_passed_fds {
	int32_t fd[PTL_PASSED_MAX];
};

struct ptl_call_bytes ptl_passed_with(struct ptl_passed_fds *passed,
				      const struct msghdr *msg, bool failed);

/* What goes with a command of fcntl(), or a request of ioctl(), if that is
 * known and can be read; else there is nothing. */
struct ptl_call_bytes ptl_fcntl_value(int cmd, const void *arg);
struct ptl_call_bytes ptl_ioctl_value(unsigned long request, const void *arg,
				      bool failed);

/* What was before a call, and what it set (core/format/values.h). */
struct ptl_changed {
	uint64_t word[1 + 2 * PTL_SIGACTION_WORDS];
	size_t size; /* bytes; 0: nothing is known */
};

/* Of a struct rlimit64; NULL: the program did not give one, or did not ask.
 * Returns false if nothing is known. */
bool ptl_limits_changed(struct ptl_changed *changed, const void *new,
			const void *old, bool failed);
void ptl_actions_changed(struct ptl_changed *changed,
			 const struct sigaction *new,
			 const struct sigaction *old);

/* Of a struct stat64 what has no field of its own; of a struct statx likewise.
 */
struct ptl_stat {
	uint64_t word[PTL_STAT_WORDS];
};

struct ptl_call_bytes ptl_stat_told(struct ptl_stat *told, const void *stat);
struct ptl_call_bytes ptl_statx_told(struct ptl_stat *told,
				     const struct statx *stat);

/* Of a struct statfs64; of a struct statvfs64 likewise. */
struct ptl_statfs {
	uint64_t word[PTL_STATFS_WORDS];
};

struct ptl_call_bytes ptl_statfs_told(struct ptl_statfs *told, const void *fs);
struct ptl_call_bytes ptl_statvfs_told(struct ptl_statfs *told, const void *fs);

/* Structures without 64 in their names are the same where processes have 64
 * bits; elsewhere these take them. */
#if __SIZEOF_POINTER__ < 8
struct ptl_call_bytes ptl_narrow_stat_told(struct ptl_stat *told,
					   const struct stat *stat);
struct ptl_call_bytes ptl_narrow_statfs_told(struct ptl_statfs *told,
					     const struct statfs *fs);
struct ptl_call_bytes ptl_narrow_statvfs_told(struct ptl_statfs *told,
					      const struct statvfs *fs);
bool ptl_narrow_limits_changed(struct ptl_changed *changed, const void *new,
			       const void *old, bool failed);

#define ptl_stat_told(told, st) \
	_Generic((st), struct stat * \
		 : ptl_narrow_stat_told, default \
		 : ptl_stat_told)(told, st)
#define ptl_statfs_told(told, fs) \
	_Generic((fs), struct statfs * \
		 : ptl_narrow_statfs_told, default \
		 : ptl_statfs_told)(told, fs)
#define ptl_statvfs_told(told, fs) \
	_Generic((fs), struct statvfs * \
		 : ptl_narrow_statvfs_told, default \
		 : ptl_statvfs_told)(told, fs)
#define PTL_IS_NARROW(limit) \
	_Generic((limit), struct rlimit * : 1, const struct rlimit * : 1, \
		 default : 0)
#define ptl_limits_changed(changed, new, old, failed) \
	(PTL_IS_NARROW(new) || PTL_IS_NARROW(old) ? \
		 ptl_narrow_limits_changed(changed, new, old, failed) : \
		 ptl_limits_changed(changed, new, old, failed))
#endif

/* A set of CPUs, as far as it is recorded. */
struct ptl_call_bytes ptl_cpus(const void *set, size_t size, bool failed);

/* The value of an option of a socket: that getsockopt() told, or that was given
 * to setsockopt(); nothing, where it may be a key. */
struct ptl_call_bytes ptl_option_told(int level, int option, const void *value,
				      socklen_t size);
struct ptl_call_bytes ptl_option_given(int level, int option, const void *value,
				       socklen_t size, bool failed);

#endif
