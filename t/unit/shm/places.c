/* SPDX-License-Identifier: MIT */
/*
 * The run directory is in the first place that is its user's alone: what others
 * put there is passed by, and who is in another place is found there.
 */
#include "core/shm/place.h"
#include "core/shm/refused.h"
#include "core/shm/rundir.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Nobody's, so that no real directory is in the way. */
#define UID 3987654321u
#define OTHER 3987654322u
#define NAME "/dev/shm/ptrace-3987654321"
#define HOME "/run/user/3987654321"

static const char *path_of(unsigned int place)
{
	static char path[PTL_PLACE_PATH];

	ptl_place_path(path, UID, place);
	return path;
}

/* Which place a process comes to; or the error. */
static int come(bool create)
{
	int dir = create ? ptl_rundir_make(UID) : ptl_rundir_open(UID, false);

	if (dir < 0)
		return dir;
	close(dir);
	return ptl_rundir_place(UID);
}

/* The same of a process that has never looked. */
static int newcomer(bool create)
{
	close(ptl_rundir_make(0));
	return come(create);
}

static void must(int ret)
{
	if (ret) {
		printf("Bail out! %s\n", strerror(errno));
		_exit(1);
	}
}

static void put_directory(const char *path)
{
	must(mkdir(path, 0700) || chown(path, OTHER, OTHER));
}

static void put_open_directory(const char *path)
{
	must(mkdir(path, 0700) || chown(path, UID, UID) || chmod(path, 0750));
}

static void put_file(const char *path)
{
	close(open(path, O_CREAT, 0700));
	must(chown(path, UID, UID));
}

static void put_fifo(const char *path)
{
	must(mkfifo(path, 0700) || chown(path, UID, UID));
}

/* To what would do. */
static void put_link(const char *path)
{
	mkdir("/dev/shm/good", 0700);
	must(chown("/dev/shm/good", UID, UID) ||
	     symlink("/dev/shm/good", path) || lchown(path, UID, UID));
}

static void in_the_way(void (*put)(const char *path), const char *what)
{
	put(NAME);
	is_int(newcomer(false), -EPERM, "%s in the way", what);
	is_int(newcomer(true), 1, "%s: the next place", what);
	is_int(newcomer(false), 1, "%s: found there", what);
	must(remove(NAME));
	is_int(newcomer(true), 1, "%s goes: still found there", what);
	must(rmdir(path_of(1)));
}

static void in_use(void)
{
	is_int(newcomer(true), 0, "the first place");
	must(rename(NAME, "/dev/shm/elsewhere"));
	is_int(come(false), -ENOENT, "renamed while in use: it is not there");
	is_int(come(true), 0, "made again");
	must(rmdir(NAME) || rename("/dev/shm/elsewhere", NAME));
	is_int(come(false), 0, "back again");
	must(chmod(NAME, 0750));
	is_int(come(true), 1, "opened to others: the next place");
	must(chmod(NAME, 0700));
	is_int(come(true), 1, "who is there stays there");
	is_int(newcomer(true), 0, "who comes finds the first");
	must(rmdir(NAME) || rmdir(path_of(1)));
}

static void is_refused(const char *want, const char *what)
{
	char text[512];

	ptl_refused_places(UID, 0, PTL_PLACES, text, sizeof(text));
	is_str(text, want, "%s", what);
}

static int as_user(struct proc *self, void *arg)
{
	(void)self, (void)arg;
	close(ptl_rundir_make(0));
	if (setuid(UID))
		return 99;
	return come(true) & 0xff;
}

static int user_comes(void)
{
	struct proc p;

	proc_start(&p, as_user, NULL);
	return proc_wait(&p);
}

static int open_as_user(struct proc *self, void *arg)
{
	int dir;

	(void)self, (void)arg;
	close(ptl_rundir_make(0));
	if (setuid(UID))
		return 99;
	dir = ptl_rundir_open(UID, true);
	return dir < 0 ? dir & 0xff : 0;
}

static int user_opens(void)
{
	struct proc p;

	proc_start(&p, open_as_user, NULL);
	return proc_wait(&p);
}

static void all_taken(void)
{
	char cut[40];

	for (unsigned int i = 0; i < PTL_PLACE_LAST; i++)
		(i == 2 ? put_file : put_directory)(path_of(i));
	is_int(newcomer(true), -EPERM, "all of /dev/shm is taken");
	is_int(user_comes(), -EPERM & 0xff, "its user, too");
	is_refused(NAME " to .1 (user 3987654322's), " NAME
			".2 (no directory), " NAME ".3 to .7 (user "
			"3987654322's), " HOME "/ptrace (not there)",
		   "each place is named");
	ptl_refused_places(UID, 0, PTL_PLACES, cut, sizeof(cut));
	is_int((int)strlen(cut), 39, "the text is cut");

	must(mkdir("/run/user", 0755) || mkdir(HOME, 0700) ||
	     chown(HOME, UID, UID));
	is_int(newcomer(true), -EPERM, "root makes nothing in a user's home");
	is_int(user_opens(), -EPERM & 0xff, "who makes no stream makes none");
	is_int(user_comes(), PTL_PLACE_LAST, "the last place");
	is_int(user_opens(), 0, "and finds it there");
	is_int(newcomer(false), PTL_PLACE_LAST, "root finds it there");
	is_refused(NAME " to .1 (user 3987654322's), " NAME
			".2 (no directory), " NAME ".3 to .7 (user "
			"3987654322's)",
		   "the good one is not named");
	must(rmdir(HOME "/ptrace"));
	for (unsigned int i = 0; i < PTL_PLACE_LAST; i++)
		must(remove(path_of(i)));
}

static int in_sandbox(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid =
		stream_run(getpid(), attr_inherit(stream_attr(0, 0, 0)));
	pid_t child;

	(void)self, (void)arg;
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/dev/shm", "tmpfs", MS_RDONLY, NULL))
		return 99;
	child = fork();
	if (child == 0) {
		event_put(id, 1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return event_count(trid, id);
}

/* A child is where its parent is, or nowhere: there nobody looks for it. */
static void sandbox(void)
{
	struct proc p;

	proc_start(&p, in_sandbox, NULL);
	is_int(proc_wait(&p), 1, "a child in a sandbox records");
	ok(access("/run/ptrace", F_OK) != 0, "and is not in another place");
}

static void readonly(void)
{
	is_int(newcomer(true), 0, "a place");
	must(mount(NULL, "/dev/shm", NULL, MS_REMOUNT | MS_RDONLY, NULL));
	is_int(user_comes(), PTL_PLACE_LAST, "that cannot be written");
	is_int(newcomer(true), PTL_PLACE_LAST, "is passed by");
	must(rmdir(HOME "/ptrace") || rmdir(HOME));
	is_int(user_comes(), -EROFS & 0xff, "nothing can be written");
	is_refused(NAME " to .7 (read-only), " HOME "/ptrace (not there)",
		   "each is named");
}

int main(int argc, char **argv)
{
	(void)argc;
	if (geteuid() != 0)
		skip_all("not root");
	private_shm(argv);
	if (mount("none", "/run", "tmpfs", 0, "mode=755"))
		skip_all("no /run of our own");
	plan(44);
	sandbox();
	in_the_way(put_directory, "another's directory");
	in_the_way(put_open_directory, "a directory open to others");
	in_the_way(put_file, "a file");
	in_the_way(put_fifo, "a pipe");
	in_the_way(put_link, "a link");
	in_use();
	all_taken();
	readonly();
	return done();
}
