/* SPDX-License-Identifier: MIT */
/*
 * The writer of a log.  A regular file is written by position, through a file
 * description of our own where /proc allows it; anything else in sequence.
 * Since the program shares our descriptor table and may close what it did not
 * open, each write and the final close first make sure that the descriptor
 * still is the log.  System calls are made directly: none of this is seen by
 * the program or is a cancellation point.
 */
#include "core/log/writer.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>

#include "core/sys/host.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/wait.h"

/* Between two tries to write, where it cannot be waited by poll(2), in ns. */
#define PAUSE_NS 10000000

/* Not /proc/self/fd: that is empty once the main thread has left. */
#define FD_DIR "/proc/thread-self/fd/"
#define FD_PATH_SIZE (sizeof(FD_DIR) + 20)

/* The signals of a failing write, blocked meanwhile. */
#define SIGNAL_BIT(sig) (UINT64_C(1) << ((sig)-1))

struct quiet {
	uint64_t mask;	  /* the caller's */
	uint64_t pending; /* before the write: not ours to take */
};

#define QUIET (SIGNAL_BIT(SIGXFSZ) | SIGNAL_BIT(SIGPIPE))

/* What was not blocked is not pending; what was is left alone. */
static void be_quiet(struct quiet *quiet)
{
	uint64_t set = QUIET;

	ptl_sys(SYS_rt_sigprocmask, SIG_BLOCK, &set, &quiet->mask, sizeof(set));
	quiet->pending = 0;
	if (quiet->mask & set)
		ptl_sys(SYS_rt_sigpending, &quiet->pending, sizeof(set), 0, 0);
}

/* Takes back the signal that an error `err' of write(2) came with. */
static void end_quiet(const struct quiet *quiet, int err)
{
	const struct timespec now = {0};
	uint64_t set = 0;

	if (err == EFBIG)
		set = SIGNAL_BIT(SIGXFSZ);
	else if (err == EPIPE)
		set = SIGNAL_BIT(SIGPIPE);
	if (set & ~quiet->pending)
		ptl_sys(SYS_rt_sigtimedwait, &set, NULL, &now, sizeof(set));
	if (QUIET & ~quiet->mask)
		ptl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &quiet->mask, NULL,
			sizeof(quiet->mask));
}

uint32_t ptl_log_check(const void *data, size_t size)
{
	const unsigned char *p = data;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ p[i]) * 16777619u;
	return hash;
}

bool ptl_log_head_ok(const struct ptl_log_head *head)
{
	return memcmp(head->magic, PTL_LOG_MAGIC, sizeof(head->magic)) == 0 &&
	       head->byte_order == PTL_BYTE_ORDER_MARK &&
	       head->major == PTL_LOG_MAJOR &&
	       head->word_size == sizeof(long) &&
	       head->head_size >= PTL_LOG_HEAD_LEAST &&
	       head->head_size % 8 == 0 &&
	       head->check == ptl_log_check(head, offsetof(struct ptl_log_head,
							   check));
}

static int file_status(int fd, struct ptl_kstat *st)
{
	return -ptl_sys_fstat(fd, st);
}

static bool is_same(const struct ptl_kstat *st, uint64_t dev, uint64_t ino)
{
	return st->st_dev == dev && st->st_ino == ino;
}

/* Returns 0; EBADF if the program has closed it; or why it is not known. */
static int check_ours(const struct ptl_log_writer *log)
{
	struct ptl_kstat st;
	int err = file_status(log->fd, &st);

	if (err)
		return err;
	return is_same(&st, log->dev, log->ino) ? 0 : EBADF;
}

static void fd_path(char *path, int fd)
{
	size_t len = ptl_strcopy(path, FD_PATH_SIZE, FD_DIR);

	ptl_utoa(path + len, (uint64_t)fd, 10);
}

/* High up, where programs that count on low numbers do not meet it. */
int ptl_log_dup(int fd)
{
	static const int lowest[] = {512, 100, 3};
	long ret = -EMFILE;

	for (size_t i = 0; i < PTL_ARRAY_SIZE(lowest) && ret < 0; i++)
		ret = ptl_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest[i], 0);
	/* EINVAL: RLIMIT_NOFILE is lower than that. */
	return ret == -EINVAL ? -EMFILE : (int)ret;
}

/* Moves a descriptor of ours up; or gives it up: a negative errno. */
static int lift(int fd)
{
	int high = ptl_log_dup(fd);

	ptl_sys_close(fd);
	return high;
}

int ptl_log_reopen(int fd, int flags, const struct ptl_kstat *want)
{
	char path[FD_PATH_SIZE];
	struct ptl_kstat st;
	int own;

	fd_path(path, fd);
	own = ptl_sys_open(AT_FDCWD, path, flags | O_NOCTTY | O_NONBLOCK, 0);
	if (own < 0)
		return own;
	if (file_status(own, &st) != 0 ||
	    !is_same(&st, want->st_dev, want->st_ino)) {
		ptl_sys_close(own);
		return -ENOENT;
	}
	return lift(own);
}

static int write_error(long err)
{
	switch (err) {
	case -EDQUOT:
		return ENOSPC;
	case -ECONNRESET:
		return EPIPE;
	case -ENOSPC:
	case -EFBIG:
	case -EBADF:
	case -EPIPE:
		return (int)-err;
	default:
		return EIO;
	}
}

/*
 * A pipe that is not read must not keep the program from its signals.  Once it
 * is ready it takes a page without waiting.
 */
static size_t wait_ready(const struct ptl_log_writer *log, size_t size)
{
	uint64_t mask =
		*log->patient | SIGNAL_BIT(SIGXFSZ) | SIGNAL_BIT(SIGPIPE);
	struct pollfd ready = {.fd = log->fd, .events = POLLOUT};

	while (ptl_sys6(SYS_ppoll, (long)&ready, 1, 0, (long)&mask,
			sizeof(mask), 0) == -EINTR)
		;
	return PTL_MIN(size, PIPE_BUF);
}

static long write_some(const struct ptl_log_writer *log, int64_t offset,
		       const void *data, size_t size)
{
	if (log->seekable)
		return ptl_sys_pwrite(log->fd, data, size, offset);
	if (log->patient)
		size = wait_ready(log, size);
	return ptl_sys_write(log->fd, data, size);
}

/* *done: how much of it was written. */
static int write_all(const struct ptl_log_writer *log, uint64_t at,
		     const void *data, size_t size, size_t *done)
{
	const char *p = data;
	int64_t offset = (int64_t)at;

	while (size > 0) {
		struct pollfd ready = {.fd = log->fd, .events = POLLOUT};
		long n = write_some(log, offset, p, size);

		if (n == -EINTR)
			continue;
		if (n == -EAGAIN) {
			ptl_wait_instead(ptl_sys6(SYS_ppoll, (long)&ready, 1, 0,
						  0, 0, 0),
					 PAUSE_NS);
			continue;
		}
		if (n <= 0)
			return write_error(n);
		p += n;
		offset += n;
		size -= (size_t)n;
		*done += (size_t)n;
	}
	return 0;
}

static int write_quietly(const struct ptl_log_writer *log, uint64_t at,
			 const void *data, size_t size, size_t *done)
{
	struct quiet quiet;
	int err;

	*done = 0;
	err = check_ours(log);
	if (err)
		return err;
	be_quiet(&quiet);
	err = write_all(log, at, data, size, done);
	end_quiet(&quiet, err);
	return err;
}

int ptl_log_write_at(const struct ptl_log_writer *log, uint64_t at,
		     const void *data, size_t size)
{
	size_t done;

	return write_quietly(log, at, data, size, &done);
}

/* Half a packet is in it, and cannot be taken back. */
static void give_up(struct ptl_log_writer *log, int err, size_t unwritten)
{
	int unread = 0;

	log->broken = err;
	if (err != EBADF)
		ptl_sys(SYS_ioctl, log->fd, FIONREAD, &unread, 0);
	log->unread = unwritten + (uint64_t)unread;
}

/* What is written behind the end of a file leaves a hole in front of it. */
static bool is_cut(const struct ptl_log_writer *log)
{
	struct ptl_kstat st;

	return log->seekable && file_status(log->fd, &st) == 0 &&
	       is_same(&st, log->dev, log->ino) &&
	       (uint64_t)st.st_size < log->size;
}

/* All of it at the end of the log, or nothing. */
static int put(struct ptl_log_writer *log, const void *data, size_t size)
{
	size_t done;
	int err;

	if (log->broken)
		return log->broken;
	if (is_cut(log)) {
		log->cut = true;
		/* What comes now can be read. */
		ptl_log_write_at(log, 0, &log->head, sizeof(log->head));
	}
	err = write_quietly(log, log->end, data, size, &done);
	if (!err)
		log->size = log->end += size;
	else if (!log->seekable)
		give_up(log, err, size - done);
	else if (done > 0 && err != EBADF)
		ptl_sys_truncate(log->fd, log->end);
	return err;
}

int ptl_log_cut(struct ptl_log_writer *log, uint64_t end)
{
	int err;

	if (!log->seekable)
		return 0;
	err = check_ours(log);
	if (err)
		return err;
	log->size = log->end = end;
	return -(int)ptl_sys_truncate(log->fd, end);
}

static void fill_head(struct ptl_log_head *head)
{
	struct utsname name;

	memcpy(head->magic, PTL_LOG_MAGIC, sizeof(head->magic));
	head->byte_order = PTL_BYTE_ORDER_MARK;
	head->major = PTL_LOG_MAJOR;
	head->minor = PTL_LOG_MINOR;
	head->head_size = sizeof(*head);
	head->word_size = sizeof(long);
	ptl_boot_id(head->boot);
	if (ptl_sys(SYS_uname, &name, 0, 0, 0) == 0)
		ptl_strcopy(head->host, sizeof(head->host), name.nodename);
	head->check = ptl_log_check(head, offsetof(struct ptl_log_head, check));
	ptl_host_ask(&head->where);
	head->where.check = ptl_log_check(&head->where,
					  offsetof(struct ptl_log_host, check));
}

void ptl_log_cut_short(struct ptl_log_writer *log,
		       const struct ptl_log_end *end, uint64_t untraced)
{
	const size_t at = offsetof(struct ptl_log_head, cut_error);
	struct ptl_log_head *head = &log->head;

	if (!log->seekable)
		return;
	head->cut_error = (uint32_t)end->status[PTL_LOG_END_ERROR];
	head->cut_lost = end->lost + end->discarded;
	head->cut_processes = end->processes;
	head->cut_untraced = (uint32_t)untraced;
	head->cut_stacks = end->stacks_cut;
	head->cut_refused = (uint32_t)end->refused;
	head->cut_hot = (uint32_t)end->hot;
	head->cut_unselected = end->unselected;
	head->check = ptl_log_check(head, offsetof(struct ptl_log_head, check));
	ptl_log_write_at(log, at, (const char *)head + at,
			 PTL_LOG_HEAD_LEAST - at);
}

int ptl_log_create(struct ptl_log_writer *log, int fd,
		   struct ptl_log_head *head)
{
	int flags = (int)ptl_sys(SYS_fcntl, fd, F_GETFL, 0, 0);
	struct ptl_log_writer own = {.fd = -1};
	struct ptl_kstat st;
	int err = flags < 0 ? -flags : file_status(fd, &st);

	if (err)
		return err;
	if (S_ISDIR(st.st_mode))
		return EINVAL;
	if (flags & O_PATH || (flags & O_ACCMODE) == O_RDONLY)
		return EBADF;
	own.seekable = S_ISREG(st.st_mode);
	own.dev = st.st_dev;
	own.ino = st.st_ino;
	if (own.seekable)
		own.fd = ptl_log_reopen(fd, O_WRONLY, &st);
	if (own.fd < 0)
		own.fd = ptl_log_dup(fd);
	if (own.fd < 0)
		return -own.fd;
	if (own.seekable && st.st_size > 0)
		err = -(int)ptl_sys_truncate(own.fd, 0);
	if (!err) {
		fill_head(head);
		own.head = *head;
		err = put(&own, head, sizeof(*head));
	}
	if (err)
		ptl_log_close(&own);
	else
		*log = own;
	return err;
}

/* The log to resume, opened for reading and writing; or a negative errno. */
static int open_again(int fd)
{
	struct ptl_kstat st;
	int own, err = file_status(fd, &st);

	if (err)
		return -err;
	own = ptl_log_reopen(fd, O_RDWR, &st);
	if (own == -ENOENT)
		own = ptl_log_dup(fd);
	return own == -EPERM || own == -EROFS || own == -ETXTBSY ? -EACCES :
								   own;
}

/* Is it the log of that stream? */
static int check_log(struct ptl_log_writer *log, uint64_t stream)
{
	struct ptl_log_head *head = &log->head;
	struct ptl_kstat st;
	int err = file_status(log->fd, &st);
	long n;

	if (err)
		return err;
	if (!is_same(&st, log->dev, log->ino))
		return ESTALE;
	if (!S_ISREG(st.st_mode))
		return EINVAL;
	do
		n = ptl_sys_pread(log->fd, head, sizeof(*head), 0);
	while (n == -EINTR);
	if (n == -EBADF)
		return EACCES; /* a duplicate that is not open for reading */
	if (n < 0)
		return (int)-n;
	if (n < PTL_LOG_HEAD_LEAST || !ptl_log_head_ok(head) ||
	    head->stream != stream)
		return EINVAL;
	return 0;
}

int ptl_log_resume(struct ptl_log_writer *log, int fd, uint64_t dev,
		   uint64_t ino, uint64_t stream)
{
	struct ptl_log_writer own = {
		.fd = open_again(fd),
		.seekable = true,
		.dev = dev,
		.ino = ino,
	};
	int err;

	if (own.fd < 0)
		return -own.fd;
	err = check_log(&own, stream);
	if (err)
		ptl_sys_close(own.fd);
	else
		*log = own;
	return err;
}

int ptl_log_seal(void *packets, size_t size)
{
	struct ptl_log_packet *packet;

	for (size_t at = 0; at < size; at += packet->size) {
		packet = (void *)((char *)packets + at);
		if (size - at < sizeof(*packet) ||
		    packet->magic != PTL_PACKET_MAGIC ||
		    packet->size < sizeof(*packet) || packet->size % 8 ||
		    packet->size > size - at)
			return EINVAL;
		packet->check = ptl_log_check(
			packet, offsetof(struct ptl_log_packet, check));
	}
	return 0;
}

int ptl_log_append(struct ptl_log_writer *log, void *packets, size_t size)
{
	int err = ptl_log_seal(packets, size);

	return err ? err : put(log, packets, size);
}

void ptl_log_close(struct ptl_log_writer *log)
{
	/* If that is not known: rather one left open than the program's own
	 * closed. */
	if (log->fd >= 0 && check_ours(log) == 0)
		ptl_sys_close(log->fd);
	log->fd = -1;
}

void ptl_log_path(int fd, char *buf)
{
	char path[FD_PATH_SIZE];
	long len;

	fd_path(path, fd);
	len = ptl_sys(SYS_readlinkat, AT_FDCWD, path, buf, PTL_PATH_SIZE);
	/* Pipes and sockets have no path but "pipe:[1]"; a whole buffer is one
	 * that was cut. */
	if (len < 0 || len >= PTL_PATH_SIZE || buf[0] != '/')
		len = 0;
	buf[len] = '\0';
}
