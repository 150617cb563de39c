/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_directory_np: the place of the caller's streams, which only its
 * user can enter; sockets there that nobody listens to are removed when a
 * stream is created, and others are not.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

static char directory[64];

static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static const char *name_of(pid_t pid, char *path)
{
	snprintf(path, 108, "%s/ctl.%d", directory, (int)pid);
	return path;
}

/* A socket of that name, bound, and listened to or not. */
static int make_socket(pid_t pid, int listens)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	name_of(pid, address.sun_path);
	unlink(address.sun_path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    (listens && listen(fd, 1) != 0))
		diag("%s: %s", address.sun_path, strerror(errno));
	return fd;
}

static int is_there(pid_t pid)
{
	char path[108];
	struct stat st;

	return lstat(name_of(pid, path), &st) == 0;
}

int main(void)
{
	pid_t abandoned = dead_pid(), listened, own = getpid();
	char path[108], again[64];
	struct stat st = {.st_mode = 0};
	int err = posix_trace_directory_np(geteuid(), O_CREAT, directory,
					   sizeof(directory));
	trace_id_t trid;
	int fds[3];

	plan(13);
	is_int(err, 0, "made");
	ok(stat(directory, &st) == 0 && S_ISDIR(st.st_mode) &&
		   (st.st_mode & 0777) == 0700 && st.st_uid == geteuid(),
	   "%s is ours alone", directory);
	is_int(posix_trace_directory_np(geteuid(), 0, again, sizeof(again)), 0,
	       "found");
	is_str(again, directory, "the same");
	is_int(posix_trace_directory_np(geteuid(), 0, again, 5), ERANGE,
	       "no room");
	is_str(again, "/dev", "then what fits");
	is_int(posix_trace_directory_np(geteuid(), 0, NULL, 5), EINVAL, "NULL");
	is_int(posix_trace_directory_np(geteuid(), O_EXCL, again, 64), EINVAL,
	       "an unknown flag");
	ok(posix_trace_directory_np(4000000000U, 0, again, 64) != 0,
	   "nobody's");

	trid = stream_run(0, NULL);
	fds[0] = make_socket(abandoned, 0);
	close(fds[0]);
	listened = dead_pid();
	fds[1] = make_socket(listened, 1);
	fds[2] = make_socket(own, 0);
	stream_end(stream_run(0, NULL));
	ok(!is_there(abandoned), "a socket that was abandoned is gone");
	ok(is_there(listened), "one that is listened to is there");
	ok(is_there(own), "and that of a controller that lives");
	stream_end(trid);
	unlink(name_of(own, path));
	close(fds[1]);
	close(fds[2]);
	stream_end(stream_run(0, NULL));
	ok(!is_there(listened), "and goes when nobody listens any more");
	return done();
}
