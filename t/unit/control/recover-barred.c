/* SPDX-License-Identifier: MIT */
/*
 * Who recovers a stream, and may not remove what the killed maker of a bridge
 * has left, leaves the stream to one who may: nothing is left then.
 */
#include "core/control/recover.h"
#include "core/shm/bridge.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/shm.h>
#include <trace.h>
#include <unistd.h>

#define USER 65534
#define KEY 4711

static struct ptl_shm_ident me;
static struct ptl_map *map;
static int dir;

/* A dead controller's, in which a dead process makes a bridge. */
static void make(struct ptl_shm_ident dead)
{
	const struct ptl_shm_attr attr = {
		.stream_size = 16384,
		.max_data = 100,
		.stream_policy = POSIX_TRACE_LOOP,
	};
	char tmp[PTL_SHM_NAME];

	ptl_map_create(dir, me.uid, &attr, &dead, 0, tmp, &map);
	ptl_map_publish(dir, tmp, map);
	map->log->bridges.guest[0].word =
		ptl_guest_word(PTL_GUEST_MAKING, KEY, dead.pid);
}

/* As it is before IPC_SET. */
static int make_memory(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	return setresuid(USER, USER, USER) ||
	       shmget(KEY, ptl_map_bridge_size(map), IPC_CREAT | 0600) < 0;
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int err = fd < 0 || write(fd, text, strlen(text)) < 0;

	close(fd);
	return err;
}

/* Root in a user namespace, and of the same user. */
static int recover_inside(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	if (unshare(CLONE_NEWUSER) || put("/proc/self/setgroups", "deny") ||
	    put("/proc/self/uid_map", "0 0 1"))
		return 77;
	return ptl_recover(dir, 0, map->id, -1);
}

static int nr_segments(void)
{
	struct shm_info info;

	shmctl(0, SHM_INFO, (struct shmid_ds *)&info);
	return info.used_ids;
}

int main(int argc, char **argv)
{
	struct ptl_shm_ident dead;
	struct proc p;
	int got;

	(void)argc;
	if (geteuid() != 0)
		skip_all("not root: no other user's memory");
	private_shm(argv);
	if (unshare(CLONE_NEWIPC))
		skip_all("no IPC namespace");
	ptl_clock_init();
	ptl_ident_self(&me);
	dir = ptl_rundir_open(me.uid, true);
	dead = me;
	dead.pid = (1u << 22) - 1;
	make(dead);
	proc_start(&p, make_memory, NULL);
	got = proc_wait(&p);
	plan(5);
	is_int(got, 0, "there is memory");
	proc_start(&p, recover_inside, NULL);
	got = proc_wait(&p);
	if (got == 77)
		skip(2, "no user namespace");
	else {
		is_int(got, EAGAIN, "it is not removed there");
		is_int(nr_segments(), 1, "nor forgotten");
	}
	is_int(ptl_recover(dir, 0, map->id, -1), 0, "but here");
	is_int(nr_segments(), 0, "nothing is left");
	return done();
}
