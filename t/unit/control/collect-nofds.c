/* SPDX-License-Identifier: MIT */
/*
 * Whoever has no descriptor left to look at the run directory does not take
 * what he cannot see for dead: processes are alive, tables are in use.
 */
#include "core/control/collect.h"
#include "core/shm/segment.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Looks take so many at once at most. */
#define MOST 6

static int count(int dir, const char *name, void *arg)
{
	(void)dir;
	(void)name;
	++*(int *)arg;
	return 0;
}

static int nr_tables(void)
{
	int dir = ptl_rundir_open(geteuid(), 0), nr = 0;

	ptl_rundir_each(dir, "t.", count, &nr);
	close(dir);
	return nr;
}

/* Makes the table of our names, which then has only us. */
static int trace_parent(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	stream_end(stream_make(getppid(), NULL));
	return 0;
}

/* From now on so many descriptors can be opened. */
static void leave(rlim_t nr)
{
	struct rlimit limit;
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = nr == RLIM_INFINITY ? limit.rlim_max :
					       (rlim_t)fd + nr;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	struct posix_trace_info_np info;
	struct proc other;
	trace_id_t trid;
	int before;

	(void)argc;
	private_shm(argv);
	plan(2 * MOST);
	proc_start(&other, trace_parent, NULL);
	proc_wait(&other);
	trid = stream_run(0, NULL);
	ptl_collect(geteuid());
	before = nr_tables();
	for (int nr = 0; nr < MOST; nr++) {
		leave((rlim_t)nr);
		posix_trace_get_info_np(trid, &info);
		ptl_collect(geteuid());
		leave(RLIM_INFINITY);
		ok(info.live_processes > 0, "%d descriptors: alive", nr);
		is_int(nr_tables(), before, "and no table is collected");
	}
	stream_end(trid);
	return done();
}
