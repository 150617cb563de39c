/* SPDX-License-Identifier: MIT */
/*
 * What root makes in a user's directory becomes that user's, and nothing else
 * does, whatever the user puts in its place or writes to it meanwhile.
 */
#include "core/shm/map.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/pidns.h"

#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#define UID 3987654321u
#define DIR_PATH "/dev/shm/ptrace-3987654321"
#define TREASURE "/dev/shm/treasure"
#define HOME "/dev/shm/home"

static int dir, fd = -1, swaps;
static char tmp[PTL_SHM_NAME];

static void make(void)
{
	fd = ptl_segment_make(dir, 4096, UID, tmp);
}

/* As soon as there is a new file, another has its name. */
static int swap(long n)
{
	struct stat st;

	(void)n;
	if (tmp[0] != 'x' || fstatat(dir, tmp, &st, 0) != 0)
		return 1;
	swaps += unlinkat(dir, tmp, 0) == 0 &&
		 linkat(AT_FDCWD, TREASURE, dir, tmp, 0) == 0;
	return 0;
}

static uint32_t owner(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_uid : 4711;
}

static void hard_link(void)
{
	struct stat st;

	close(open(TREASURE, O_CREAT, 0600));
	step_through(make, swap);
	is_int(swaps, 1, "a link came between");
	is_int(owner(TREASURE), 0, "what it leads to is root's as before");
	ok(fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == UID &&
		   (st.st_mode & 07777) == 0600 && st.st_size == 4096,
	   "what was made is the user's");
	close(fd);
	unlinkat(dir, tmp, 0);
}

static struct ptl_shm_ident ident = {.pid = 1 << 30, .uid = UID};

static struct ptl_shm_head *forged;

static int create(struct ptl_map **map)
{
	const struct ptl_shm_attr attr = {
		.stream_size = 16384,
		.max_data = 100,
		.stream_policy = POSIX_TRACE_LOOP,
	};

	char unnamed[PTL_SHM_NAME];
	int err = ptl_map_create(dir, UID, &attr, &ident, 0, unnamed, map);

	return err ? err : ptl_map_publish(dir, unnamed, *map);
}

/* Between the two stops each instruction is a step of the test's: a handler
 * would not do, signals are blocked for a while. */
static int stepped(struct proc *self, void *arg)
{
	struct ptl_map *map;
	int err;

	(void)self;
	(void)arg;
	step_here();
	err = create(&map);
	step_here();
	if (err)
		return err;
	return map->nr_chunks == map->head->nr_chunks ? 0 : 98;
}

static int map_it(int at, const char *name, void *arg)
{
	int segment = openat(at, name, O_RDWR);
	struct stat st;

	(void)arg;
	if (fstat(segment, &st) == 0 && st.st_uid == UID && st.st_size > 4096)
		forged = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
			      segment, 0);
	close(segment);
	return 1;
}

/* From when it is the user's it says that it has more chunks than there are. */
static void forge(void)
{
	if (!forged)
		ptl_rundir_each(dir, "x.", map_it, NULL);
	if (forged)
		forged->nr_chunks = 0xffff;
}

static int remove_one(int at, const char *name, void *arg)
{
	++*(int *)arg;
	unlinkat(at, name, 0);
	return 0;
}

/* So many there were. */
static int remove_all(void)
{
	int nr = 0;

	ptl_rundir_each(dir, "s.", remove_one, &nr);
	ptl_rundir_each(dir, "x.", remove_one, &nr);
	return nr;
}

static void forge_head(void)
{
	struct ptl_map *map;
	struct proc p;

	ptl_clock_init();
	is_int(create(&map), 0, "a segment nobody writes to");
	is_int(remove_all(), 1, "is there");
	proc_start(&p, stepped, NULL);
	if (!step_await(&p)) {
		skip(3, "no ptrace(2)");
		return;
	}
	while (step_on(&p, PTRACE_SINGLESTEP))
		forge();
	ok(forged != NULL, "one is forged while it is made");
	is_int(step_finish(&p), EINVAL, "it is not used");
	is_int(remove_all(), 0, "nor left there");
}

static void come(void)
{
	close(ptl_rundir_open(UID, true));
}

/* As soon as there is a directory, a link has its name. */
static int swap_directory(long n)
{
	struct stat st;

	(void)n;
	if (lstat(DIR_PATH, &st) != 0)
		return 1;
	return rename(DIR_PATH, DIR_PATH "-aside") != 0 ||
	       symlink(HOME, DIR_PATH) != 0;
}

static int user_comes(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	if (setuid(UID))
		return 99;
	umask(0777);
	step_through(come, swap_directory);
	return 0;
}

/* Nor is there a name by which to change the mode of one's own. */
static void open_mode(void)
{
	struct proc p;
	struct stat st;

	mkdir(HOME, 0755);
	if (chown(HOME, UID, UID) || chmod(HOME, 0755))
		return;
	proc_start(&p, user_comes, NULL);
	is_int(proc_wait(&p), 0, "a link comes between");
	ok(lstat(DIR_PATH, &st) == 0 && S_ISLNK(st.st_mode), "it is there");
	is_int(stat(HOME, &st) ? 0 : st.st_mode & 0777, 0755,
	       "what it leads to is as open as before");
	unlink(DIR_PATH);
	rmdir(DIR_PATH "-aside");
	rmdir(HOME);
}

/* Where all may rename what is root's, there is nothing to be given away. */
static void open_house(void)
{
	close(dir);
	rmdir(DIR_PATH);
	chmod("/dev/shm", 0777);
	is_int(ptl_rundir_open(UID, true), -EPERM, "/dev/shm without sticky");
	open_mode();
	chmod("/dev/shm", 01777);
	dir = ptl_rundir_open(UID, true);
	ok(dir >= 0 && owner(DIR_PATH) == UID, "with it");
}

int main(int argc, char **argv)
{
	(void)argc;
	if (geteuid() != 0)
		skip_all("not root");
	step_needed();
	private_shm(argv);
	plan(13);
	dir = ptl_rundir_open(UID, true);
	if (dir < 0)
		return 1;
	ident.pidns = ptl_pidns();
	hard_link();
	forge_head();
	open_house();
	return done();
}
