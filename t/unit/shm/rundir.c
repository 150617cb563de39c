/* SPDX-License-Identifier: MIT */
/* The run directory is its user's alone, or it is not used. */
#include "core/shm/segment.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Nobody's, so that no real directory is in the way. */
#define UID 3987654321u
#define PATH "/dev/shm/ptrace-3987654321"

static int try_open(uint32_t uid, bool create)
{
	int dir = ptl_rundir_open(uid, create);

	if (dir < 0)
		return dir;
	close(dir);
	return 0;
}

static int is_good(void)
{
	struct stat st;

	return lstat(PATH, &st) == 0 && S_ISDIR(st.st_mode) &&
	       (st.st_mode & 0777) == 0700 && st.st_uid == UID;
}

static int as_user(struct proc *self, void *arg)
{
	int bad = 0;

	(void)self, (void)arg;
	if (setgid(60000) || setuid(UID))
		return 99;
	umask(0777);
	bad |= (try_open(UID, false) != -ENOENT) << 0;
	bad |= (try_open(UID + 1, true) != -EPERM) << 1;
	bad |= (try_open(UID, true) != 0) << 2;
	bad |= (try_open(UID, true) != 0) << 3;
	bad |= (try_open(UID, false) != 0) << 4;
	bad |= (try_open(0, false) == 0) << 5;
	return bad;
}

static int create_as_user(struct proc *self, void *arg)
{
	(void)arg;
	if (setuid(UID))
		return 99;
	proc_await(self);
	return -try_open(UID, true);
}

static void race(void)
{
	struct proc p[8];
	int bad = 0;

	for (int i = 0; i < 8; i++)
		proc_start(&p[i], create_as_user, NULL);
	for (int i = 0; i < 8; i++)
		proc_tell(&p[i]);
	bad += try_open(UID, true) != 0;
	for (int i = 0; i < 8; i++)
		bad += proc_wait(&p[i]) != 0;
	is_int(bad, 0, "nine at once, root among them");
}

int main(int argc, char **argv)
{
	struct proc p;

	(void)argc;
	if (geteuid() != 0)
		skip_all("not root");
	private_shm(argv);
	plan(9);
	proc_start(&p, as_user, NULL);
	is_int(proc_wait(&p), 0, "its user makes it, others do not");
	ok(is_good(), "with the right owner and mode");
	is_int(try_open(UID, false), 0, "root may open it");
	rmdir(PATH);

	is_int(try_open(UID, false), -ENOENT, "not there");
	is_int(try_open(UID, true), 0, "root makes it for its user");
	ok(is_good(), "with the right owner and mode");
	rmdir(PATH);

	race();
	ok(is_good(), "the right one won");
	rmdir(PATH);
	is_int(try_open(0, true), 0, "our own");
	return done();
}
