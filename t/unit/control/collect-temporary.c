/* SPDX-License-Identifier: MIT */
/*
 * What somebody was killed over who made a segment is removed; what somebody
 * is making stays, though he be of another pid namespace.
 */
#include "core/control/collect.h"
#include "core/shm/segment.h"
#include "core/sys/pidns.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int dir;

static void make(char *name, size_t size, uint64_t pidns, int pid, int age)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, { 0, 0 } };
	int fd;

	snprintf(name, size, "x.%llu.%d.%d.%d", (unsigned long long)pidns, pid,
		 pid, 1000 + age);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL, 0600);
	clock_gettime(CLOCK_REALTIME, &times[1]);
	times[1].tv_sec -= age;
	futimens(fd, times);
	close(fd);
}

static int is_there(const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, 0) == 0;
}

static int nothing(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	return 0;
}

int main(int argc, char **argv)
{
	char mine[PTL_SHM_NAME], dead[PTL_SHM_NAME], fresh[PTL_SHM_NAME],
		old[PTL_SHM_NAME], made[PTL_SHM_NAME];
	uint64_t ns = ptl_pidns();
	struct proc p;
	void *map;

	(void)argc;
	private_shm(argv);
	plan(6);
	dir = ptl_rundir_open(geteuid(), 1);
	proc_start(&p, nothing, NULL);
	proc_wait(&p);
	make(mine, sizeof(mine), ns, getpid(), 100);
	make(dead, sizeof(dead), ns, p.pid, 0);
	make(fresh, sizeof(fresh), ns + 1, p.pid, 0);
	make(old, sizeof(old), ns + 1, p.pid, 100);
	is_int(ptl_segment_create(dir, 4096, geteuid(), made, &map), 0, "made");
	ptl_collect(geteuid());
	ok(is_there(made), "what we are making stays: %s", made);
	ok(is_there(mine), "however old");
	ok(!is_there(dead), "that of a dead process goes");
	ok(is_there(fresh), "another namespace's stays");
	ok(!is_there(old), "for a minute");
	return done();
}
