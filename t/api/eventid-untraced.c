/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: a program that nothing traces takes nothing of
 * /dev/shm for its names, and leaves none, whether it ends or is killed.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* More are killed than the registry has room for at first. */
#define ROUNDS 160

static char *path;

/* In the new image: opens names, has a child do so, and waits. */
static int named(struct proc *self)
{
	struct proc child;

	event_put(event_id("parent's"), 1);
	child.pid = fork();
	event_put(event_id(child.pid ? "more of it" : "child's"), 2);
	if (child.pid == 0)
		pause();
	proc_send(self, &child.pid, sizeof(child.pid));
	proc_await(self);
	kill(child.pid, SIGKILL);
	return 0;
}

static int begin(struct proc *self, void *arg)
{
	(void)arg;
	proc_exec(self, path, "named");
	return 1;
}

static unsigned long taken(void)
{
	struct statvfs fs;

	statvfs("/dev/shm", &fs);
	return (fs.f_blocks - fs.f_bfree) * fs.f_frsize;
}

/* Of ours: segments that nobody has. */
static int unattached(void)
{
	struct shmid_ds ds;
	struct shm_info info;
	int last = shmctl(0, SHM_INFO, (void *)&info), n = 0;

	for (int i = 0; i <= last; i++)
		n += shmctl(i, SHM_STAT, &ds) >= 0 && ds.shm_nattch == 0 &&
		     ds.shm_cpid != getpid() && ds.shm_segsz == 4521984;
	return n;
}

int main(int argc, char **argv)
{
	unsigned long first = 0, now = 0;
	int before, wrong = 0;
	struct proc p;

	path = argv[0];
	if (argc > 1) {
		p = proc_again(argv);
		return named(&p);
	}
	private_shm(argv);
	plan(4);
	before = unattached();
	for (int i = 0; i < ROUNDS; i++) {
		pid_t child;

		proc_start(&p, begin, NULL);
		if (!proc_receive(&p, &child, sizeof(child)))
			break;
		now = taken();
		if (i == 0)
			first = now;
		wrong += now != first;
		if (i % 2) {
			proc_kill(&p, SIGKILL);
			kill(child, SIGKILL);
		} else {
			proc_tell(&p);
			wrong += proc_wait(&p) != 0;
		}
	}
	is_int(wrong, 0, "each takes as little of /dev/shm as the first");
	is_int((long long)taken(), (long long)first, "and leaves nothing");
	ok(first < 256 * 1024, "all of it is the registry: %lu bytes", first);
	is_int(unattached(), before, "no other memory is left, either");
	return done();
}
