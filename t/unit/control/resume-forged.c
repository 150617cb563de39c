/* SPDX-License-Identifier: MIT */
/*
 * What a segment says of its log, when its controller is dead, is no reason to
 * cut the log, nor to open what is not the log, nor what is no longer ours.
 */
#include "core/control/collect.h"
#include "core/format/logfile.h"
#include "core/shm/map.h"
#include "core/shm/segment.h"
#include "core/sys/text.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#define NAME "an event"
#define LOGGED 1000
#define LEFT 10
#define OTHER 65533

static char path[64];

static void put(trace_event_id_t id, int nr)
{
	for (int i = 0; i < nr; i++)
		posix_trace_event(id, &i, sizeof(i));
}

/* Some of it in the log, and some not. */
static int controller(struct proc *self, void *arg)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	trace_event_id_t id;
	trace_attr_t attr;
	trace_id_t trid;

	(void)arg;
	posix_trace_attr_init(&attr);
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_UNTIL_FULL);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	if (posix_trace_create_withlog(0, &attr, fd, &trid) ||
	    posix_trace_eventid_open(NAME, &id) || posix_trace_start(trid))
		return 99;
	put(id, LOGGED);
	posix_trace_flush(trid);
	put(id, LEFT);
	proc_tell(self);
	proc_await(self);
	return 98;
}

static int find(int dir, const char *name, void *arg)
{
	uint64_t *id = arg;
	const char *hex = name + 2;

	(void)dir;
	*id = ptl_atou(&hex, 16);
	return 1;
}

/* The segment of a controller that is dead. */
static struct ptl_map *leave(void)
{
	int dir = ptl_rundir_open(geteuid(), false);
	struct ptl_map *map = NULL;
	struct proc p;
	uint64_t id;

	proc_start(&p, controller, NULL);
	if (!proc_await(&p))
		exit(99);
	kill(p.pid, SIGKILL);
	proc_wait(&p);
	dir = ptl_rundir_open(geteuid(), false);
	if (!ptl_rundir_each(dir, "s.", find, &id) ||
	    ptl_map_attach(dir, geteuid(), id, &map))
		exit(99);
	close(dir);
	return map;
}

static void ends(uint64_t end, const char *what)
{
	struct ptl_map *map = leave();

	map->log->end = end;
	ptl_map_detach(map);
	is_int(log_count_at(path, NAME), LOGGED + LEFT, "%s", what);
	unlink(path);
}

/* Says that the log is elsewhere; true if that was opened. */
static bool goes_to(const char *other, bool same_inode)
{
	int watch = inotify_init1(IN_NONBLOCK);
	struct ptl_map *map = leave();
	char event[512];
	struct stat st;
	bool opened;

	strcpy(map->log->path, other);
	if (same_inode && stat(other, &st) == 0) {
		map->log->dev = st.st_dev;
		map->log->ino = st.st_ino;
	}
	inotify_add_watch(watch, other, IN_OPEN);
	ptl_collect(geteuid());
	opened = read(watch, event, sizeof(event)) > 0;
	close(watch);
	/* And away with it. */
	unlink(path);
	strcpy(map->log->path, path);
	map->log->log_status = PTL_LOG_COMPLETE;
	ptl_collect(geteuid());
	ptl_map_detach(map);
	return opened;
}

/* A device of ours: others open theirs all the time.  It stays open. */
static bool open_terminal(char *name, size_t size)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	return fd >= 0 && unlockpt(fd) == 0 && ptsname_r(fd, name, size) == 0;
}

static void places(void)
{
	char other[80], link[80];

	snprintf(other, sizeof(other), "%s.other", path);
	snprintf(link, sizeof(link), "%s.link", path);
	close(open(other, O_CREAT, 0600));
	ok(!goes_to(other, false), "another file is not opened");
	symlink(other, link);
	ok(!goes_to(link, true), "nor where a link leads");
	unlink(link);
	unlink(other);
	mkfifo(other, 0600);
	ok(!goes_to(other, true), "nor a pipe");
	unlink(other);
	if (open_terminal(other, sizeof(other)))
		ok(!goes_to(other, true), "nor a device");
	else
		skip(1, "no terminals");
}

/* The log was given away: who collects does not write to it, who has it
 * open does. */
static void given_away(void)
{
	struct stat before, after;

	ptl_map_detach(leave());
	if (chown(path, OTHER, OTHER) || stat(path, &before))
		exit(99);
	ptl_collect(geteuid());
	stat(path, &after);
	ok(after.st_size == before.st_size &&
		   after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
		   after.st_mtim.tv_nsec == before.st_mtim.tv_nsec,
	   "root does not write to what is another's by now");
	is_int(log_count_at(path, NAME), LOGGED + LEFT,
	       "and nothing is lost by that");
	unlink(path);
}

int main(int argc, char **argv)
{
	(void)argc;
	private_shm(argv);
	snprintf(path, sizeof(path), "/dev/shm/forged-%d", (int)getpid());
	plan(10);
	ends(sizeof(struct ptl_log_head), "the log ends at its head");
	ends(0, "it has no head");
	ends(UINT64_C(1) << 40, "it is longer than it is");
	ends(12345, "it ends in the middle of a word");
	places();
	if (geteuid() == 0)
		given_away();
	else
		skip(2, "not root");
	return done();
}
