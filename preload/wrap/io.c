/* SPDX-License-Identifier: MIT */
/*
 * The family io: what is done with descriptors, and stdio where it moves
 * bytes.  What goes in and out is never looked at.
 */
#include "preload/wrap/call.h"

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <unistd.h>

/* Macros too. */
#undef fread_unlocked
#undef fwrite_unlocked

/* In milliseconds, as others have it; -1: for ever. */
static int64_t ms(const struct timespec *time, bool failed)
{
	if (!time)
		return -1;
	if (failed && !ptl_call_readable(time, sizeof(*time)))
		return 0;
	return (int64_t)((uint64_t)time->tv_sec * 1000 +
			 (uint64_t)time->tv_nsec / 1000000);
}

/* clang-format off */

#define CALL_READ(name) \
	WRAP(ssize_t, name, (int fd, void *buf, size_t size), \
	     (fd, buf, size), INT, IO_READ, (fd, (int64_t)size), NOTHING)
#define CALL_WRITE(name) \
	WRAP(ssize_t, name, (int fd, const void *buf, size_t size), \
	     (fd, buf, size), INT, IO_WRITE, (fd, (int64_t)size), NOTHING)
#define CALL_PREAD(name, type) \
	WRAP(ssize_t, name, (int fd, void *buf, size_t size, type offset), \
	     (fd, buf, size, offset), INT, IO_PREAD, \
	     (fd, (int64_t)size, offset), NOTHING)
#define CALL_PREAD_CHK(name, type) \
	WRAP(ssize_t, name, \
	     (int fd, void *buf, size_t size, type offset, size_t room), \
	     (fd, buf, size, offset, room), INT, IO_PREAD, \
	     (fd, (int64_t)size, offset), NOTHING)
#define CALL_PWRITE(name, type) \
	WRAP(ssize_t, name, \
	     (int fd, const void *buf, size_t size, type offset), \
	     (fd, buf, size, offset), INT, IO_PWRITE, \
	     (fd, (int64_t)size, offset), NOTHING)
#define CALL_READV(name, event) \
	WRAP(ssize_t, name, (int fd, const struct iovec *iov, int count), \
	     (fd, iov, count), INT, event, (fd, count), NOTHING)
#define CALL_PREADV(name, type, event) \
	WRAP(ssize_t, name, \
	     (int fd, const struct iovec *iov, int count, type offset), \
	     (fd, iov, count, offset), INT, event, (fd, count, offset, 0), \
	     NOTHING)
#define CALL_PREADV2(name, type, event) \
	WRAP(ssize_t, name, \
	     (int fd, const struct iovec *iov, int count, type offset, \
	      int flags), \
	     (fd, iov, count, offset, flags), INT, event, \
	     (fd, count, offset, (unsigned int)flags), NOTHING)
#define CALL_LSEEK(name, type) \
	WRAP(type, name, (int fd, type offset, int whence), \
	     (fd, offset, whence), INT, IO_LSEEK, (fd, offset, whence), \
	     NOTHING)
#define CALL_FD(name, event) \
	WRAP(int, name, (int fd), (fd), INT, event, (fd), NOTHING)
#define CALL_DUP2(name) \
	WRAP(int, name, (int fd, int fd2), (fd, fd2), INT, IO_DUP, (fd, 0), \
	     NOTHING)
#define CALL_PIPE(name) \
	WRAP(int, name, (int fd[2]), (fd), INT, IO_PIPE, \
	     (0, ret ? -1 : fd[0], ret ? -1 : fd[1]), NOTHING)
#define CALL_SENDFILE(name, type) \
	WRAP(ssize_t, name, (int out, int in, type *offset, size_t size), \
	     (out, in, offset, size), INT, IO_SENDFILE, \
	     (out, in, (int64_t)size), NOTHING)
#define CALL_POLL(name) \
	WRAP(int, name, (struct pollfd *fds, nfds_t nr, int timeout), \
	     (fds, nr, timeout), INT, IO_POLL, ((int64_t)nr, timeout), NOTHING)
#define CALL_SELECT(name) \
	WRAP(int, name, \
	     (int nr, fd_set *restrict in, fd_set *restrict out, \
	      fd_set *restrict err, struct timeval *restrict timeout), \
	     (nr, in, out, err, timeout), INT, IO_SELECT, (nr), NOTHING)
#define CALL_FALLOCATE(name, type) \
	WRAP(int, name, (int fd, int mode, type offset, type size), \
	     (fd, mode, offset, size), INT, IO_ALLOCATE, \
	     (fd, (unsigned int)mode, offset, size), NOTHING)

/* What is returned is the error. */
#define CALL_POSIX_FALLOCATE(name, type) \
	WRAP(int, name, (int fd, type offset, type size), \
	     (fd, offset, size), NUM, IO_ALLOCATE, \
	     (fd, 0, offset, size, ret ? -1 : 0), NOTHING)

#define CALL_FREAD(name) \
	WRAP(size_t, name, \
	     (void *restrict buf, size_t size, size_t nr, \
	      FILE *restrict stream), \
	     (buf, size, nr, stream), NONE, IO_FREAD, \
	     (P(stream), (int64_t)size, (int64_t)nr), NOTHING)
#define CALL_FREAD_CHK(name) \
	WRAP(size_t, name, \
	     (void *restrict buf, size_t room, size_t size, size_t nr, \
	      FILE *restrict stream), \
	     (buf, room, size, nr, stream), NONE, IO_FREAD, \
	     (P(stream), (int64_t)size, (int64_t)nr), NOTHING)
#define CALL_FWRITE(name) \
	WRAP(size_t, name, \
	     (const void *restrict buf, size_t size, size_t nr, \
	      FILE *restrict stream), \
	     (buf, size, nr, stream), NONE, IO_FWRITE, \
	     (P(stream), (int64_t)size, (int64_t)nr), NOTHING)
#define CALL_FFLUSH(name) \
	WRAP(int, name, (FILE *stream), (stream), INT, IO_FFLUSH, \
	     (P(stream)), NOTHING)

/* libc takes the argument whether there is one or not; so do we. */
#define CALL_WITH_ARG(name, type, event) \
	int name(int fd, type what, ...); \
	static int (*real_##name)(int, type, ...); \
	CALL_TOLD(int, name, \
		  (int fd, type what, void *arg, const void *addr), \
		  (fd, what, arg), INT, event, (fd, (int64_t)what, P(arg)), \
		  NOTHING) \
	PTL_JUMP int name(int fd, type what, ...) \
	{ \
		va_list ap; \
		void *arg; \
\
		va_start(ap, what); \
		arg = va_arg(ap, void *); \
		va_end(ap); \
		if (PTL_LIKELY(!ptl_core_maybe() && real_##name)) \
			return real_##name(fd, what, arg); \
		return told_##name(fd, what, arg, \
				   __builtin_return_address(0)); \
	}

/* ---- the table ---- */

CALL_READ(read)
CALL_READ(__read)
WRAP(ssize_t, __read_chk, (int fd, void *buf, size_t size, size_t room),
     (fd, buf, size, room), INT, IO_READ, (fd, (int64_t)size), NOTHING)
CALL_WRITE(write)
CALL_WRITE(__write)
CALL_PREAD(pread, off_t)
CALL_PREAD(pread64, off64_t)
CALL_PREAD(__pread64, off64_t)
CALL_PREAD_CHK(__pread_chk, off_t)
CALL_PREAD_CHK(__pread64_chk, off64_t)
CALL_PWRITE(pwrite, off_t)
CALL_PWRITE(pwrite64, off64_t)
CALL_PWRITE(__pwrite64, off64_t)
CALL_READV(readv, IO_READV)
CALL_READV(writev, IO_WRITEV)
CALL_PREADV(preadv, off_t, IO_PREADV)
CALL_PREADV(preadv64, off64_t, IO_PREADV)
CALL_PREADV2(preadv2, off_t, IO_PREADV)
CALL_PREADV2(preadv64v2, off64_t, IO_PREADV)
CALL_PREADV(pwritev, off_t, IO_PWRITEV)
CALL_PREADV(pwritev64, off64_t, IO_PWRITEV)
CALL_PREADV2(pwritev2, off_t, IO_PWRITEV)
CALL_PREADV2(pwritev64v2, off64_t, IO_PWRITEV)

CALL_LSEEK(lseek, off_t)
CALL_LSEEK(lseek64, off64_t)
CALL_LSEEK(__lseek, off_t)
CALL_LSEEK(llseek, off64_t)
WRAP(int, dup, (int fd), (fd), INT, IO_DUP, (fd, 0), NOTHING)
CALL_DUP2(dup2)
CALL_DUP2(__dup2)
WRAP(int, dup3, (int fd, int fd2, int flags), (fd, fd2, flags), INT, IO_DUP,
     (fd, (unsigned int)flags), NOTHING)
CALL_PIPE(pipe)
CALL_PIPE(__pipe)
WRAP(int, pipe2, (int fd[2], int flags), (fd, flags), INT, IO_PIPE,
     ((unsigned int)flags, ret ? -1 : fd[0], ret ? -1 : fd[1]), NOTHING)
CALL_WITH_ARG(fcntl, int, IO_FCNTL)
CALL_WITH_ARG(fcntl64, int, IO_FCNTL)
CALL_WITH_ARG(__fcntl, int, IO_FCNTL)
CALL_WITH_ARG(ioctl, unsigned long, IO_IOCTL)
CALL_FD(fsync, IO_FSYNC)
CALL_FD(fdatasync, IO_FSYNC)
CALL_FD(syncfs, IO_FSYNC)

CALL_SENDFILE(sendfile, off_t)
CALL_SENDFILE(sendfile64, off64_t)
WRAP(ssize_t, splice, (int in, off64_t *in_offset, int out,
     off64_t *out_offset, size_t size, unsigned int flags),
     (in, in_offset, out, out_offset, size, flags), INT, IO_SPLICE,
     (in, out, (int64_t)size, flags), NOTHING)
WRAP(ssize_t, tee, (int in, int out, size_t size, unsigned int flags),
     (in, out, size, flags), INT, IO_SPLICE, (in, out, (int64_t)size, flags),
     NOTHING)
WRAP(ssize_t, copy_file_range, (int in, off64_t *in_offset, int out,
     off64_t *out_offset, size_t size, unsigned int flags),
     (in, in_offset, out, out_offset, size, flags), INT, IO_COPY_FILE_RANGE,
     (in, out, (int64_t)size, flags), NOTHING)
CALL_FALLOCATE(fallocate, off_t)
CALL_FALLOCATE(fallocate64, off64_t)
CALL_POSIX_FALLOCATE(posix_fallocate, off_t)
CALL_POSIX_FALLOCATE(posix_fallocate64, off64_t)

CALL_POLL(poll)
CALL_POLL(__poll)
WRAP(int, __poll_chk, (struct pollfd *fds, nfds_t nr, int timeout,
     size_t room), (fds, nr, timeout, room), INT, IO_POLL,
     ((int64_t)nr, timeout), NOTHING)
WRAP(int, ppoll, (struct pollfd *fds, nfds_t nr,
     const struct timespec *timeout, const sigset_t *mask),
     (fds, nr, timeout, mask), INT, IO_PPOLL, ((int64_t)nr), NOTHING)
WRAP(int, __ppoll_chk, (struct pollfd *fds, nfds_t nr,
     const struct timespec *timeout, const sigset_t *mask, size_t room),
     (fds, nr, timeout, mask, room), INT, IO_PPOLL, ((int64_t)nr), NOTHING)
CALL_SELECT(select)
CALL_SELECT(__select)
WRAP(int, pselect, (int nr, fd_set *restrict in, fd_set *restrict out,
     fd_set *restrict err, const struct timespec *restrict timeout,
     const sigset_t *restrict mask), (nr, in, out, err, timeout, mask), INT,
     IO_SELECT, (nr), NOTHING)
WRAP(int, epoll_create, (int size), (size), INT, IO_EPOLL_CREATE, (0),
     NOTHING)
WRAP(int, epoll_create1, (int flags), (flags), INT, IO_EPOLL_CREATE,
     ((unsigned int)flags), NOTHING)
WRAP(int, epoll_ctl, (int epoll, int op, int fd, struct epoll_event *event),
     (epoll, op, fd, event), INT, IO_EPOLL_CTL, (epoll, op, fd), NOTHING)
WRAP(int, epoll_wait, (int epoll, struct epoll_event *events, int nr,
     int timeout), (epoll, events, nr, timeout), INT, IO_EPOLL_WAIT,
     (epoll, nr, timeout), NOTHING)
WRAP(int, epoll_pwait, (int epoll, struct epoll_event *events, int nr,
     int timeout, const sigset_t *mask), (epoll, events, nr, timeout, mask),
     INT, IO_EPOLL_WAIT, (epoll, nr, timeout), NOTHING)
WRAP(int, epoll_pwait2, (int epoll, struct epoll_event *events, int nr,
     const struct timespec *timeout, const sigset_t *mask),
     (epoll, events, nr, timeout, mask), INT, IO_EPOLL_WAIT,
     (epoll, nr, ms(timeout, ret == -1)), NOTHING)
WRAP(int, eventfd, (unsigned int value, int flags), (value, flags), INT,
     IO_EVENTFD, (value, (unsigned int)flags), NOTHING)
WRAP0(int, inotify_init, INT, IO_INOTIFY_INIT, (0), NOTHING)
WRAP(int, inotify_init1, (int flags), (flags), INT, IO_INOTIFY_INIT,
     ((unsigned int)flags), NOTHING)
WRAP(int, inotify_add_watch, (int fd, const char *path, uint32_t mask),
     (fd, path, mask), INT, IO_INOTIFY_WATCH, (fd, mask), STRING(path))
WRAP(int, memfd_create, (const char *name, unsigned int flags),
     (name, flags), INT, IO_MEMFD, (flags), STRING(name))

CALL_FREAD(fread)
CALL_FREAD(fread_unlocked)
CALL_FREAD(_IO_fread)
CALL_FREAD_CHK(__fread_chk)
CALL_FREAD_CHK(__fread_unlocked_chk)
CALL_FWRITE(fwrite)
CALL_FWRITE(fwrite_unlocked)
CALL_FWRITE(_IO_fwrite)
CALL_FFLUSH(fflush)
CALL_FFLUSH(fflush_unlocked)
CALL_FFLUSH(_IO_fflush)

/* There is a mode, and more, only where one is asked for. */
mqd_t mq_open(const char *name, int flags, ...);
static mqd_t (*real_mq_open)(const char *, int, ...);
CALL_TOLD(mqd_t, mq_open,
	  (const char *name, int flags, mode_t mode, void *attr,
	   const void *addr),
	  (name, flags, mode, attr), INT, IO_MQ_OPEN,
	  ((unsigned int)flags, mode), STRING(name))
PTL_JUMP mqd_t mq_open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	void *attr = NULL;

	if (flags & O_CREAT) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		attr = va_arg(ap, void *);
		va_end(ap);
	}
	return told_mq_open(name, flags, mode, attr,
			    __builtin_return_address(0));
}
WRAP(mqd_t, __mq_open_2, (const char *name, int flags), (name, flags), INT,
     IO_MQ_OPEN, ((unsigned int)flags, 0), STRING(name))
WRAP(int, mq_close, (mqd_t mq), (mq), INT, IO_MQ_CLOSE, (mq), NOTHING)
WRAP(int, mq_unlink, (const char *name), (name), INT, IO_MQ_UNLINK, (),
     STRING(name))
WRAP(int, mq_send, (mqd_t mq, const char *data, size_t size,
     unsigned int priority), (mq, data, size, priority), INT, IO_MQ_SEND,
     (mq, (int64_t)size, priority), NOTHING)
WRAP(int, mq_timedsend, (mqd_t mq, const char *data, size_t size,
     unsigned int priority, const struct timespec *time),
     (mq, data, size, priority, time), INT, IO_MQ_SEND,
     (mq, (int64_t)size, priority), NOTHING)
WRAP(ssize_t, mq_receive, (mqd_t mq, char *restrict data, size_t size,
     unsigned int *restrict priority), (mq, data, size, priority), INT,
     IO_MQ_RECEIVE, (mq, (int64_t)size), NOTHING)
WRAP(ssize_t, mq_timedreceive, (mqd_t mq, char *restrict data, size_t size,
     unsigned int *restrict priority, const struct timespec *restrict time),
     (mq, data, size, priority, time), INT, IO_MQ_RECEIVE,
     (mq, (int64_t)size), NOTHING)
