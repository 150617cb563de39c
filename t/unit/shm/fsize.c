/* SPDX-License-Identifier: MIT */
/* RLIMIT_FSIZE gives ENOSPC, and the program gets no SIGXFSZ for it. */
#include "core/shm/segment.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t nr_signals;

static void count(int sig)
{
	(void)sig;
	nr_signals++;
}

static int is_pending(void)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIGXFSZ);
}

int main(void)
{
	char path[] = "/dev/shm/ptl-test-XXXXXX", tmp[PTL_SHM_NAME];
	struct rlimit limit = { 65536, RLIM_INFINITY };
	sigset_t set, old;
	void *map;
	int dir;

	plan(9);
	if (!mkdtemp(path))
		return 1;
	dir = open(path, O_RDONLY | O_DIRECTORY);
	signal(SIGXFSZ, count);
	setrlimit(RLIMIT_FSIZE, &limit);
	is_int(ptl_segment_create(dir, 1 << 20, geteuid(), tmp, &map), ENOSPC,
	       "a segment over the limit");
	is_int(nr_signals, 0, "no signal");
	is_int(is_pending(), 0, "nor a pending one");
	sigprocmask(SIG_SETMASK, NULL, &old);
	is_int(sigismember(&old, SIGXFSZ), 0, "the mask is as it was");

	signal(SIGXFSZ, SIG_DFL);
	is_int(ptl_segment_create(dir, 1 << 20, geteuid(), tmp, &map), ENOSPC,
	       "where the signal would kill");

	/* The program's own signal, blocked and pending, stays its own. */
	signal(SIGXFSZ, count);
	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGXFSZ);
	is_int(ptl_segment_create(dir, 1 << 20, geteuid(), tmp, &map), ENOSPC,
	       "with one pending");
	is_int(is_pending(), 1, "it is still pending");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	is_int(nr_signals, 1, "and comes when it is let through");
	is_int(rmdir(path), 0, "nothing is left in the directory");
	return done();
}
