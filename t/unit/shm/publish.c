/* SPDX-License-Identifier: MIT */
/* A segment appears whole under its name, once, and others map the same bytes. */
#include "core/shm/segment.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE 10000

static int nr_files;

static int count_file(int dir, const char *name, void *arg)
{
	(void)dir, (void)name, (void)arg;
	nr_files++;
	return 0;
}

static int attach_and_write(struct proc *self, void *arg)
{
	int dir = *(int *)arg;
	uint64_t size;
	void *map;

	(void)self;
	if (ptl_segment_attach(dir, "s.1", PTL_SHM_MAGIC_STREAM, SIZE,
			       geteuid(), &map, &size) ||
	    size != SIZE)
		return 1;
	((char *)map)[SIZE - 1] = 'c';
	return 0;
}

int main(void)
{
	char path[] = "/dev/shm/ptl-test-XXXXXX", tmp[PTL_SHM_NAME];
	char other[PTL_SHM_NAME];
	int dir, fd, bad = 0;
	char *map, *loser;
	struct stat st;
	struct proc p;

	plan(16);
	if (!mkdtemp(path))
		return 1;
	umask(0777);
	dir = open(path, O_RDONLY | O_DIRECTORY);
	fd = dup(dir);
	close(fd);
	is_int(ptl_segment_create(dir, SIZE, geteuid(), tmp, (void **)&map), 0,
	       "a segment, whatever the umask");
	ok(!strncmp(tmp, "x.", 2), "its temporary name: %s", tmp);
	for (int i = 0; i < SIZE; i++)
		bad += map[i] != 0;
	is_int(bad, 0, "it is zeroed");
	ptl_segment_prefix((struct ptl_shm_prefix *)map, PTL_SHM_MAGIC_STREAM,
			   64, SIZE, 1);
	is_int(ptl_segment_publish(dir, tmp, "s.1"), 0, "published");
	is_int(fstatat(dir, tmp, &st, 0), -1, "the temporary name is gone");
	is_int(fstatat(dir, "s.1", &st, 0), 0, "the other is there");
	is_int(st.st_mode & 07777, 0600, "for its owner alone");
	ok(st.st_blocks * 512 >= SIZE, "its space is allocated");

	proc_start(&p, attach_and_write, &dir);
	is_int(proc_wait(&p), 0, "another process attaches");
	is_int(map[SIZE - 1], 'c', "what it writes is here");

	is_int(ptl_segment_create(dir, SIZE, geteuid(), other, (void **)&loser),
	       0, "a second one");
	ok(strcmp(tmp, other), "has another temporary name");
	is_int(ptl_segment_publish(dir, other, "s.1"), EEXIST,
	       "the name is taken");
	loser[0] = 1;
	is_int(map[0] == 1, 0, "the first is untouched");
	ptl_rundir_each(dir, "", count_file, NULL);
	is_int(nr_files, 3, "one file is left, beside . and ..");
	is_int(dup(dir), fd, "no descriptor is left");
	unlinkat(dir, "s.1", 0);
	rmdir(path);
	return done();
}
