/* SPDX-License-Identifier: MIT */
/* A write that fails leaves a readable log, and no signal. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/writer.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

static struct mklog packets;

/* Appends until it fails; then what was appended must be there. */
static void fill(int fd, int want, const char *name)
{
	struct ptl_log_head head = { .anchor = { { 0, 1000 } } };
	struct ptl_log_reader *reader;
	struct ptl_log_writer writer;
	long nr = 0;
	int err = ptl_log_create(&writer, fd, &head);

	is_int(err, 0, "%s: a log is begun", name);
	for (; !err; nr++)
		err = ptl_log_append(&writer, packets.bytes, packets.size);
	is_int(err, want, "%s: appending fails", name);
	is_int(lseek(fd, 0, SEEK_END), (long long)writer.end,
	       "%s: the file ends with the last whole packet", name);
	is_int(ptl_log_append(&writer, packets.bytes, packets.size), want,
	       "%s: it fails again", name);
	ptl_log_close(&writer);
	is_int(ptl_log_reader_open(fd, &reader), 0, "%s: the log is read",
	       name);
	ok(ptl_log_reader_state(reader)->bad_size == 0, "%s: it is whole",
	   name);
	is_int(mklog_drain(reader, NULL, 0), nr - 1, "%s: all events", name);
}

static void with_limit(void)
{
	const struct rlimit small = { 100000, 100000 };
	char path[] = "/tmp/ptl-log-XXXXXX";
	int fd = mkstemp(path);
	sigset_t set;

	unlink(path);
	setrlimit(RLIMIT_FSIZE, &small);
	fill(fd, EFBIG, "RLIMIT_FSIZE");
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGXFSZ);
	fill(fd, EFBIG, "SIGXFSZ pending");
	sigpending(&set);
	ok(sigismember(&set, SIGXFSZ), "the program's own signal stays");
	close(fd);
}

static void with_full_disk(void)
{
	char dir[] = "/tmp/ptl-mnt-XXXXXX", path[64];
	int fd;

	if (!mkdtemp(dir))
		exit(99);
	if (mount("none", dir, "tmpfs", 0, "size=128k") != 0) {
		rmdir(dir);
		skip(7, "cannot mount a tmpfs");
		return;
	}
	strcpy(stpcpy(path, dir), "/log");
	fd = open(path, O_RDWR | O_CREAT, 0600);
	fill(fd, ENOSPC, "tmpfs");
	close(fd);
	umount(dir);
	rmdir(dir);
}

int main(void)
{
	static const char data[3000];

	plan(22);
	mklog_events(&packets, 1, 10);
	mklog_record(&packets, 10, 256, 0, data, sizeof(data));
	mklog_close(&packets);
	with_full_disk();
	with_limit();
	mklog_free(&packets);
	return done();
}
