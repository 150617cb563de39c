/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create_logfile_np: makes a file of mode 0600 that is ours, and
 * that no other process writes to; opens nothing else, and does not change a
 * file that it refuses.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <linux/fs.h>

#define OTHER 65533

static int opens(const char *path, int flags)
{
	int fd = -1;
	int err = posix_trace_create_logfile_np(path, flags, &fd);

	if (err == 0)
		close(fd);
	return err ? err : fd < 0 ? -1 : 0;
}

static void put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		diag("cannot make %s", path);
	close(fd);
}

static long size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long)st.st_size;
}

static int mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

/* A whole log at the path. */
static void put_log(const char *path)
{
	int fd = -1;
	int err = posix_trace_create_logfile_np(path, 0, &fd);
	trace_id_t trid = err ? 0 : stream_make_log(0, NULL, fd);

	if (err)
		diag("no log: %s", strerror(err));
	stream_start(trid);
	event_put(event_id("an event"), 1);
	stream_end(trid);
	close(fd);
}

static void test_new(void)
{
	int fd = -1;

	umask(0);
	is_int(opens("new", 0), 0, "a new file");
	is_int(mode_of("new"), 0600, "its mode, with umask 0");
	umask(0777);
	is_int(posix_trace_create_logfile_np("closed", 0, &fd), 0, "another");
	is_int(mode_of("closed"), 0600, "its mode, with umask 0777");
	is_int(fcntl(fd, F_GETFD), FD_CLOEXEC, "closed on exec");
	is_int(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR, "read, too");
	close(fd);
	umask(022);
	is_int(opens("new", O_EXCL), EEXIST, "O_EXCL: it is there");
	if (symlink("nowhere", "dangling"))
		diag("no link");
	is_int(opens("dangling", O_EXCL), EEXIST, "O_EXCL: a link is there");
	is_int(opens("dangling", 0), 0, "our own link is followed");
	is_int(mode_of("nowhere"), 0600, "to the file that is made");
	is_int(opens("none/new", 0), ENOENT, "no such directory");
	is_int(opens("new/new", 0), ENOTDIR, "no directory");
	is_int(opens(".", 0), EISDIR, "a directory");
	is_int(opens("", 0), ENOENT, "an empty path");
	is_int(opens(NULL, 0), EINVAL, "a null pointer");
	is_int(posix_trace_create_logfile_np("new", 0, NULL), EINVAL,
	       "nowhere to put it");
}

static void test_there(void)
{
	put_file("text", "some text");
	is_int(opens("text", 0), EEXIST, "a file that is no log");
	is_int(size_of("text"), 9, "it is as it was");
	is_int(mode_of("text"), 0644, "and its mode");
	is_int(opens("text", O_TRUNC), 0, "unless it is for no log");
	is_int(size_of("text"), 9, "it is as it was");
	put_file("empty", "");
	is_int(opens("empty", 0), 0, "an empty file");
	is_int(mode_of("empty"), 0600, "is closed to others");
	put_log("log");
	chmod("log", 0644);
	is_int(opens("log", 0), 0, "a log");
	ok(size_of("log") > 0, "is not truncated yet");
	is_int(opens("log", O_TRUNC), EEXIST, "a log is for logs only");
	is_int(mode_of("log"), 0600, "is closed to others");
	if (link("log", "second"))
		diag("no link");
	is_int(opens("log", 0), EMLINK, "a log with two names");
	unlink("second");
	is_int(opens("/dev/null", 0), 0, "a device");
	if (symlink("loop", "loop"))
		diag("no link");
	is_int(opens("loop", 0), ELOOP, "a loop of links");
}

static void test_paths(void)
{
	char path[64];
	int fd = open("given", O_RDWR | O_CREAT, 0640);

	if (mkdir("dir", 0755) || symlink("dir", "link") ||
	    symlink("../link/./deep", "dir/up") || mkdir("dir/deep", 0755))
		diag("no directories");
	is_int(opens("link/../dir/up//new", 0), 0, "through links");
	is_int(mode_of("dir/deep/new"), 0600, "to the right place");
	is_int(opens("/proc/self/cwd/link/new", 0), 0, "through /proc");
	is_int(mode_of("dir/new"), 0600, "to the right place");
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	is_int(opens(path, 0), 0, "/dev/fd/N");
	is_int(mode_of("given"), 0640, "its mode is not ours to change");
	close(fd);
}

static int try_it(struct proc *self, void *arg)
{
	(void)self;
	return opens(arg, 0);
}

/* As a user, who may write to his file but not read it. */
static int blind(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	if ((geteuid() == 0 && setresuid(OTHER, OTHER, OTHER)) || chdir("own"))
		return 99;
	close(open("blind", O_WRONLY | O_CREAT, 0200));
	if (opens("blind", 0) != 0 || mode_of("blind") != 0600)
		return 98;
	put_file("blind", "some text");
	chmod("blind", 0200);
	return opens("blind", 0);
}

static void test_blind(void)
{
	struct proc p;

	if (mkdir("own", 0700) ||
	    (geteuid() == 0 && chown("own", OTHER, OTHER)) || chmod(".", 0711))
		diag("no directory");
	proc_start(&p, blind, NULL);
	is_int(proc_wait(&p), EACCES,
	       "a file that may not be read: if it is empty");
}

static int elsewhere(const char *path)
{
	char copy[16];
	struct proc p;

	strcpy(copy, path);
	proc_start(&p, try_it, copy);
	return proc_wait(&p);
}

/* While a stream writes to it, and while somebody is about to let one. */
static void test_written(void)
{
	int plain = open("log", O_RDWR), fd = -1;
	trace_id_t trid = stream_make_log(0, NULL, plain);

	stream_start(trid);
	close(plain);
	is_int(elsewhere("log"), EBUSY, "a log that is being written");
	stream_end(trid);
	is_int(elsewhere("log"), 0, "and no longer is");
	is_int(posix_trace_create_logfile_np("log", 0, &fd), 0, "it is ours");
	is_int(elsewhere("log"), EBUSY, "locked");
	close(fd);
	is_int(elsewhere("log"), 0, "and no longer is");
}

/* As root, whom others want to make write. */
static void test_others(void)
{
	put_log("theirs");
	if (chown("theirs", OTHER, OTHER) || symlink("log", "trap") ||
	    lchown("trap", OTHER, OTHER) || symlink("dir", "trapdir") ||
	    lchown("trapdir", OTHER, OTHER) || mkfifo("fifo", 0666) ||
	    chown("fifo", OTHER, OTHER) || mkdir("home", 0755) ||
	    chown("home", OTHER, OTHER))
		diag("no traps");
	is_int(opens("theirs", 0), EPERM, "another's log");
	is_int(opens("trap", 0), EPERM, "another's link");
	is_int(opens("trap", O_EXCL), EEXIST, "to a new file, too");
	is_int(opens("trapdir/new2", 0), EPERM, "to a directory");
	is_int(opens("/proc/self/cwd/trap", 0), EPERM, "behind /proc");
	is_int(opens("fifo", 0), EPERM, "another's FIFO, and no waiting");
	is_int(opens("home/new", 0), 0, "a new file in his directory is ours");
	is_int(mode_of("home/new"), 0600, "and closed to him");
	ok(size_of("theirs") > 0, "his log is as it was");
}

/* False where the file system has no such flags. */
static bool set_immutable(const char *path, bool is_immutable)
{
	int fd = open(path, O_RDONLY), flags = 0, ret;

	ret = ioctl(fd, FS_IOC_GETFLAGS, &flags);
	flags &= ~FS_IMMUTABLE_FL;
	if (is_immutable)
		flags |= FS_IMMUTABLE_FL;
	if (ret == 0)
		ret = ioctl(fd, FS_IOC_SETFLAGS, &flags);
	close(fd);
	return ret == 0;
}

/* The kernel's EPERM is not ours. */
static void test_immutable(void)
{
	put_log("fixed");
	if (mkdir("fixdir", 0755))
		diag("no directory");
	if (!set_immutable("fixed", true) || !set_immutable("fixdir", true)) {
		skip(2, "nothing can be made immutable");
		return;
	}
	is_int(opens("fixed", 0), EACCES, "an immutable log");
	is_int(opens("fixdir/new", 0), EACCES, "in an immutable directory");
	set_immutable("fixed", false);
	set_immutable("fixdir", false);
}

int main(void)
{
	char dir[] = "/tmp/ptrace-logfile.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	plan(53);
	test_new();
	test_there();
	test_paths();
	test_written();
	test_blind();
	if (geteuid() == 0)
		test_others();
	else
		skip(9, "not root");
	test_immutable();
	if (chdir("/") == 0 && fork() == 0)
		execlp("rm", "rm", "-rf", dir, (char *)NULL);
	wait(NULL);
	return done();
}
