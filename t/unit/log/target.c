/* SPDX-License-Identifier: MIT */
/* A log can be written to whatever can be written to, and to nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/writer.h"
#include "t/lib/mklog.h"
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static char path[] = "/tmp/ptl-log-XXXXXX";
static struct mklog packets;

static int create(struct ptl_log_writer *writer, int fd)
{
	struct ptl_log_head head = { .clock = PTL_CLOCK_MONOTONIC,
				     .anchor = { { 0, 1000 } } };

	return ptl_log_create(writer, fd, &head);
}

/* Appends the packets twice. */
static int write_log(int fd)
{
	struct ptl_log_writer writer;
	int err = create(&writer, fd);

	if (err)
		return err;
	err = ptl_log_append(&writer, packets.bytes, packets.size);
	if (!err)
		err = ptl_log_append(&writer, packets.bytes, packets.size);
	ptl_log_close(&writer);
	return err;
}

/* How many events the file has; or a negative errno. */
static long read_log(int fd)
{
	struct ptl_log_reader *reader;
	int err = ptl_log_reader_open(fd, &reader);

	return err ? -err : mklog_drain(reader, NULL, 0);
}

static long read_path(void)
{
	int fd = open(path, O_RDONLY);
	long nr = read_log(fd);

	close(fd);
	return nr;
}

static void refused(void)
{
	struct ptl_log_writer writer = { .fd = 4711 };
	int fds[2], fd = open("/tmp", O_RDONLY | O_DIRECTORY);

	is_int(create(&writer, fd), EINVAL, "a directory");
	close(fd);
	fd = open(path, O_RDONLY);
	is_int(create(&writer, fd), EBADF, "a file open for reading");
	close(fd);
	fd = open(path, O_PATH);
	is_int(create(&writer, fd), EBADF, "a file open as a path");
	close(fd);
	is_int(create(&writer, fd), EBADF, "a closed descriptor");
	is_int(create(&writer, -1), EBADF, "descriptor -1");
	if (pipe(fds) != 0)
		exit(99);
	is_int(create(&writer, fds[0]), EBADF, "the reading end of a pipe");
	close(fds[0]);
	is_int(create(&writer, fds[1]), EPIPE, "a pipe without a reader");
	close(fds[1]);
	is_int(writer.fd, 4711, "a failing create touches nothing");
}

static void files(void)
{
	int fd = open(path, O_RDWR | O_APPEND);

	is_int(write(fd, "old contents, longer than none", 30), 30,
	       "a file has old contents");
	is_int(write_log(fd), 0, "O_APPEND and old contents");
	is_int(read_path(), 4, "only the new ones are read");
	is_int(lseek(fd, 0, SEEK_CUR), 30, "the caller's offset stays");
	ok(fcntl(fd, F_GETFL) & O_APPEND, "the caller's O_APPEND stays");
	close(fd);
	fd = open(path, O_WRONLY);
	is_int(write_log(fd), 0, "a file open for writing only");
	is_int(read_path(), 4, "it is a log");
	is_int(read_log(fd), -EINVAL, "but not by that descriptor");
	close(fd);
}

/* The file must not be opened again: our descriptor is a mere duplicate. */
static void duplicate(void)
{
	bool is_root = geteuid() == 0;
	int err, fd = open(path, O_RDWR | O_APPEND);

	chmod(path, 0);
	if (is_root && seteuid(65534) != 0)
		exit(99);
	err = write_log(fd);
	if (is_root && seteuid(0) != 0)
		exit(99);
	chmod(path, 0600);
	is_int(err, 0, "O_APPEND, by a duplicate");
	is_int(read_path(), 4, "it is a log");
	close(fd);
}

/* Begins when the writer waits for room. */
static int read_pipe(struct proc *self, void *arg)
{
	int *fds = arg, fd = open(path, O_RDWR | O_TRUNC);
	struct pollfd begun = { .fd = fds[0], .events = POLLIN };
	char buf[777];
	ssize_t n;

	close(fds[1]);
	proc_tell(self);
	poll(&begun, 1, -1);
	thread_await_sleep(getppid());
	while ((n = read(fds[0], buf, sizeof(buf))) > 0)
		if (write(fd, buf, (size_t)n) != n)
			return 99;
	return (int)read_log(fd);
}

static void through(int type, const char *name)
{
	struct proc reader;
	int err, fds[2], least = 1;

	if (type == 0 ? pipe(fds) : socketpair(AF_UNIX, type, 0, fds))
		exit(99);
	/* Smaller than what is written: the writer must wait. */
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	fcntl(fds[1], F_SETPIPE_SZ, 4096);
	setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &least, sizeof(least));
	proc_start(&reader, read_pipe, fds);
	proc_await(&reader);
	close(fds[0]);
	err = write_log(fds[1]);
	close(fds[1]);
	is_int(err, 0, "written to a %s", name);
	is_int(proc_wait(&reader), 4, "what came out is a log");
}

/* The program may close what it did not open. */
static void stolen(void)
{
	struct ptl_log_writer writer;
	int fd = open(path, O_RDWR), other = open("/dev/null", O_RDWR), own;

	is_int(create(&writer, fd), 0, "a log is begun");
	own = writer.fd;
	close(own);
	is_int(ptl_log_append(&writer, packets.bytes, packets.size), EBADF,
	       "our descriptor was closed");
	dup2(other, own);
	is_int(ptl_log_append(&writer, packets.bytes, packets.size), EBADF,
	       "our descriptor was reused");
	ptl_log_close(&writer);
	is_int(fcntl(own, F_GETFD), 0, "it is not ours to close");
	close(own);
	close(other);
	close(fd);
}

static void few_descriptors(void)
{
	const struct rlimit few = { 64, 1024 };
	struct ptl_log_writer writer;
	int fd = open(path, O_RDWR);

	setrlimit(RLIMIT_NOFILE, &few);
	is_int(create(&writer, fd), 0, "with a low RLIMIT_NOFILE");
	/* valgrind has a limit of its own. */
	ok(writer.fd < 64 || fcntl(fd, F_DUPFD_CLOEXEC, 64) >= 0,
	   "its descriptor is below that");
	ptl_log_close(&writer);
	close(fd);
}

int main(void)
{
	static const char large[64 * 1024];

	plan(28);
	close(mkstemp(path));
	mklog_events(&packets, 1, 10);
	mklog_record(&packets, 10, 256, 0, large, sizeof(large));
	mklog_record(&packets, 11, 256, UINT64_MAX, path, 9);
	mklog_close(&packets);
	refused();
	files();
	duplicate();
	through(0, "pipe");
	through(SOCK_STREAM, "socket");
	stolen();
	few_descriptors();
	unlink(path);
	return done();
}
