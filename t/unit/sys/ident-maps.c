/* SPDX-License-Identifier: MIT */
/*
 * Whether a process maps a file is told by its whole name, deleted or not,
 * wherever the file is.
 */
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *map_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	void *p;

	if (fd < 0 || ftruncate(fd, 4096))
		diag("cannot make %s", path);
	p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	return p;
}

static int look(struct proc *self, void *arg)
{
	(void)self;
	if (setgid(61235) || setuid(61234))
		return 99;
	return ptl_proc_maps(getppid(), arg) ? 42 : 43;
}

int main(void)
{
	char dir[] = "/tmp/ptl test XXXXXX", path[64];
	const char *name = "a file";
	char nonsense[] = "nonsense";
	struct proc p;
	void *map;

	plan(11);
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/a file", dir);
	ok(!ptl_proc_maps(getpid(), name), "not mapped");
	map = map_file(path);
	ok(ptl_proc_maps(getpid(), name), "mapped");
	ok(!ptl_proc_maps(getpid(), "a fil"), "not a shorter one");
	ok(!ptl_proc_maps(getpid(), "a file "), "nor a longer one");
	ok(!ptl_proc_maps(getpid(), " file"), "nor its end");
	ok(!ptl_proc_maps(getpid(), strrchr(dir, '/') + 1),
	   "nor the directory");
	unlink(path);
	ok(ptl_proc_maps(getpid(), name), "mapped and deleted");
	if (geteuid() == 0) {
		proc_start(&p, look, nonsense);
		is_int(proc_wait(&p), 42, "who may not look says yes");
	} else {
		skip(1, "not root");
	}
	munmap(map, 4096);
	ok(!ptl_proc_maps(getpid(), name), "unmapped");
	ok(!ptl_proc_maps(0, name), "no process 0");
	ok(!ptl_proc_maps(0x7ffffff0, name), "no such process");
	rmdir(dir);
	return done();
}
