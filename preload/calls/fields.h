/* SPDX-License-Identifier: MIT */
/*
 * What the tables of calls need: the headers of libc that have their types and
 * constants, and what computes a field that is no parameter.  A call that
 * succeeded has read, or written, what the program points to.
 */
#ifndef PTL_PRELOAD_CALLS_FIELDS_H
#define PTL_PRELOAD_CALLS_FIELDS_H

/* Before all others: scanf() shall be the function of that name, not C99's, of
 * which the header would make it another name. */
#include <features.h>
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1
#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0

#include "preload/hook/pages.h"
#include "preload/wrap/call.h"
#include "preload/wrap/values.h"

#include "core/sys/text.h"

#include "preload/calls/locks.h"
#include "preload/libc/cwd.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

/* Macros too. */
#undef fread_unlocked
#undef fwrite_unlocked
#undef getc
#undef putc

/* Nanoseconds; 0: it cannot be read. */
static inline int64_t ns_of(const struct timespec *time, bool failed)
{
	if (!time || (failed && !ptl_call_readable(time, sizeof(*time))))
		return 0;
	return (int64_t)((uint64_t)time->tv_sec * 1000000000 +
			 (uint64_t)time->tv_nsec);
}

static inline int64_t ns_of_timeval(const struct timeval *time, bool failed)
{
	if (!time || (failed && !ptl_call_readable(time, sizeof(*time))))
		return 0;
	return (int64_t)((uint64_t)time->tv_sec * 1000000000 +
			 (uint64_t)time->tv_usec * 1000);
}

/* Two times of a file, as utimensat() has them; nothing: now, or they cannot be
 * read. */
static inline struct ptl_call_bytes timespecs_of(struct ptl_ktimespec both[2],
						 const struct timespec *times,
						 bool failed)
{
	if (!times || (failed && !ptl_call_readable(times, sizeof(*times) * 2)))
		return (struct ptl_call_bytes){NULL, 0};
	for (int i = 0; i < 2; i++)
		both[i] = (struct ptl_ktimespec){times[i].tv_sec,
						 times[i].tv_nsec};
	return (struct ptl_call_bytes){both, sizeof(*both) * 2};
}

static inline struct ptl_call_bytes timevals_of(struct ptl_ktimespec both[2],
						const struct timeval *times,
						bool failed)
{
	if (!times || (failed && !ptl_call_readable(times, sizeof(*times) * 2)))
		return (struct ptl_call_bytes){NULL, 0};
	for (int i = 0; i < 2; i++)
		both[i] = (struct ptl_ktimespec){times[i].tv_sec,
						 times[i].tv_usec * 1000};
	return (struct ptl_call_bytes){both, sizeof(*both) * 2};
}

static inline struct ptl_call_bytes utimbuf_of(struct ptl_ktimespec both[2],
					       const struct utimbuf *times,
					       bool failed)
{
	if (!times || (failed && !ptl_call_readable(times, sizeof(*times))))
		return (struct ptl_call_bytes){NULL, 0};
	both[0] = (struct ptl_ktimespec){times->actime, 0};
	both[1] = (struct ptl_ktimespec){times->modtime, 0};
	return (struct ptl_call_bytes){both, sizeof(*both) * 2};
}

/* In milliseconds, as others have it; -1: for ever. */
static inline int64_t ms_of(const struct timespec *time, bool failed)
{
	if (!time)
		return -1;
	if (failed && !ptl_call_readable(time, sizeof(*time)))
		return 0;
	return (int64_t)((uint64_t)time->tv_sec * 1000 +
			 (uint64_t)time->tv_nsec / 1000000);
}

/* In _flags: the stream is one of a file.  One of open_memstream() has a 0 in
 * place of a descriptor. */
#define IS_OF_FILE 0x2000

/* The descriptor of a stream, as fileno() says it; -1 if it has none. */
static inline int fd_of(const FILE *stream)
{
#ifdef __GLIBC__
	if (stream && are_known() && stream->_flags & IS_OF_FILE)
		return PTL_MAX(stream->_fileno, -1);
#endif
	return -1;
}

/* Likewise of a directory, whose structure begins with it. */
static inline int fd_of_dir(const DIR *dir)
{
	return dir && are_known() ? *(const int *)dir : -1;
}

/* The error of a call that failed, not at the end of the file alone. */
static inline int error_of(const FILE *stream, bool failed)
{
#ifdef __GLIBC__
	if (failed && are_known() && !(stream->_flags & _IO_ERR_SEEN))
		return 0;
#endif
	return failed ? errno : 0;
}

/* What reallocarray() would have to find; the largest number, if it is more. */
static inline int64_t product_of(size_t nr, size_t size)
{
	int64_t bytes;

	return __builtin_mul_overflow(nr, size, &bytes) ? INT64_MAX : bytes;
}

static inline int64_t length_of(const char *text)
{
	return text ? (int64_t)ptl_strlen(text) : -1;
}

static inline int64_t wide_length_of(const wchar_t *text)
{
	int64_t length = 0;

	for (; text && text[length]; length++)
		;
	return text ? length : -1;
}

#define CWD_SIZE 256

/* Where the process is after it has gone there; "" if it has not, or the path
 * is longer. */
static inline const char *cwd_after(char *cwd, int ret)
{
	cwd[0] = '\0';
	return ret == 0 ? ptl_cwd(cwd, CWD_SIZE) : cwd;
}

/* The tools take an address of any family, so the type is not asked for. */
#define SOCKADDR(at) ((const void *)(at).__sockaddr__)

static inline struct ptl_call_bytes bytes(const void *at, size_t size)
{
	return (struct ptl_call_bytes){at, size};
}

/* Of old, the set is where the size is today. */
static inline struct ptl_call_bytes cpus_of(bool is_old, size_t size,
					    const void *set, bool failed)
{
	return is_old ? ptl_cpus((const void *)size, PTL_CPUS_SIZE, failed) :
			ptl_cpus(set, size, failed);
}

/* An option's value, which is as long as the call said. */
static inline struct ptl_call_bytes option_told(int level, int option,
						const void *at,
						const socklen_t *size,
						bool failed)
{
	return failed ? bytes(NULL, 0) :
			ptl_option_told(level, option, at, *size);
}

/* Does epoll_ctl() look at the event? */
static inline bool has_event(int op, const struct epoll_event *event,
			     bool failed)
{
	return op != EPOLL_CTL_DEL && event &&
	       (!failed || ptl_call_readable(event, sizeof(*event)));
}

/* How large an address may become; 0: it is not known, and not read. */
static inline socklen_t room_of(const socklen_t *size, bool wanted)
{
	return wanted && ptl_call_readable(size, sizeof(*size)) ? *size : 0;
}

/* An address that the call told, if it did, as far as there was room. */
static inline struct ptl_call_bytes told(const void *at, const socklen_t *size,
					 socklen_t room, bool failed)
{
	if (failed || !room)
		return bytes(NULL, 0);
	return bytes(at, PTL_MIN(room, *size));
}

/* Whom a message goes to; nothing: to whom its socket is connected with. */
static inline struct ptl_call_bytes message_name(const struct msghdr *msg,
						 bool failed)
{
	if (failed && !ptl_call_readable(msg, sizeof(*msg)))
		return bytes(NULL, 0);
	return bytes(msg->msg_name, msg->msg_namelen);
}

/* Whom it is from, likewise. */
static inline socklen_t message_room(const struct msghdr *msg, bool wanted)
{
	return wanted && ptl_call_readable(msg, sizeof(*msg)) ?
		       msg->msg_namelen :
		       0;
}

static inline struct ptl_call_bytes message_told(const struct msghdr *msg,
						 socklen_t room, bool failed)
{
	if (failed || !room)
		return bytes(NULL, 0);
	return bytes(msg->msg_name, PTL_MIN(room, msg->msg_namelen));
}

/* Of a command that has none it is whatever the register held. */
static inline long fcntl_arg(int cmd, const void *arg)
{
	switch (cmd) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return 0;
	default:
		return (long)(uintptr_t)arg;
	}
}

/* What tcsetattr() asks the kernel for; 0: nothing. */
static inline int64_t tcset(int actions)
{
	switch (actions) {
	case TCSANOW:
		return TCSETS;
	case TCSADRAIN:
		return TCSETSW;
	case TCSAFLUSH:
		return TCSETSF;
	default:
		return 0;
	}
}

/* What a call read or wrote (--io-data); size: what it returned, -1 if it
 * failed. */
static inline struct ptl_moved moved(const void *at, int64_t size)
{
	return (struct ptl_moved){PTL_MOVED_BYTES, size, at, 0};
}

static inline struct ptl_moved moved_items(const void *at, size_t nr,
					   size_t size)
{
	return moved(at, (int64_t)(nr * size));
}

/* How much a stream has in its buffer that is to be written. */
static inline int64_t pending_of(const FILE *stream)
{
#ifdef __GLIBC__
	if (stream && are_known())
		return stream->_IO_write_ptr - stream->_IO_write_base;
#endif
	return 0;
}

/* What was printed is at the end of that, if it is longer by just so much: had
 * the buffer been written meanwhile, it would be shorter. */
static inline struct ptl_moved moved_printed(const FILE *stream, int64_t before,
					     int64_t ret)
{
	const char *end = NULL;

	if (ret < 0 || pending_of(stream) != before + ret)
		return moved(NULL, -1);
#ifdef __GLIBC__
	end = stream->_IO_write_ptr - ret;
#endif
	return moved(end, ret);
}

static inline struct ptl_moved moved_text(const char *text, int64_t ret)
{
	return (struct ptl_moved){PTL_MOVED_TEXT, ret, text, 0};
}

static inline struct ptl_moved moved_vector(const struct iovec *at, int count,
					    int64_t size)
{
	return (struct ptl_moved){PTL_MOVED_VECTOR, size, at, (size_t)count};
}

/* With MSG_TRUNC more may be returned than there is, or nothing be there. */
static inline int64_t taken(int64_t ret, int flags)
{
	return flags & MSG_TRUNC ? -1 : ret;
}

static inline struct ptl_moved moved_message(const struct msghdr *at,
					     int64_t size)
{
	return (struct ptl_moved){PTL_MOVED_MESSAGE, size, at, 1};
}

static inline struct ptl_moved moved_messages(const void *at, int64_t nr)
{
	return (struct ptl_moved){PTL_MOVED_MESSAGES, nr, at, 1};
}

/* One byte of a stream; size: 1, or -1. */
#define MOVED_BYTE(c, ret) \
	moved(&(unsigned char){(unsigned char)(c)}, (ret) == EOF ? -1 : 1)

#define MOVED_NONE ((struct ptl_moved){PTL_MOVED_NONE, -1, NULL, 0})

#endif
