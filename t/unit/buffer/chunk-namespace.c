/* SPDX-License-Identifier: MIT */
/*
 * A thread of another pid namespace, whose number is nobody's here, keeps the
 * chunk that it writes to.
 */
#include "core/buffer/chunk.h"
#include "core/buffer/leftover.h"
#include "core/record/attached.h"

#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_ALLOWED 77

/* The next process of this namespace gets that number. */
static int set_next(pid_t pid)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
	int bad = fd < 0 || dprintf(fd, "%d", pid - 1) < 0;

	close(fd);
	return bad;
}

static void record(struct proc *self)
{
	event_put(event_id("there"), 1);
	proc_tell(self);
	proc_await(self);
	_exit(0);
}

/* The first process of the other namespace, and the one of that number. */
static void first(struct proc *self, pid_t number)
{
	pid_t pid;

	if (set_next(number))
		_exit(NOT_ALLOWED);
	pid = fork();
	if (pid == 0)
		record(self);
	if (pid != number)
		_exit(NOT_ALLOWED);
	waitpid(pid, NULL, 0);
	_exit(0);
}

static int other(struct proc *self, void *arg)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		_exit(NOT_ALLOWED);
	pid = fork();
	if (pid == 0)
		first(self, *(pid_t *)arg);
	waitpid(pid, NULL, 0);
	_exit(0);
}

static int quit(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	_exit(0);
}

/* How many chunks have a live thread that keeps them. */
static int nr_open(struct ptl_map *map)
{
	int nr = 0;

	for (uint32_t i = 0; i < map->nr_chunks; i++)
		nr += ptl_own_state(map->table[i].own) == PTL_CHUNK_OPEN;
	return nr;
}

int main(void)
{
	trace_id_t trid =
		stream_run(getpid(), attr_inherit(stream_attr(0, 0, 0)));
	struct ptl_map *map = ptl_attached_map(0);
	struct proc p, gone;
	int nr;

	proc_start(&gone, quit, NULL);
	proc_wait(&gone);
	proc_start(&p, other, &gone.pid);
	if (!proc_await(&p))
		skip_all("may not choose numbers in a pid namespace");
	plan(2);
	nr = nr_open(map);
	ok(nr > 0, "it keeps a chunk");
	ptl_leftover_reap(map);
	is_int(nr_open(map), nr, "as long as it lives");
	proc_tell(&p);
	proc_wait(&p);
	stream_end(trid);
	return done();
}
