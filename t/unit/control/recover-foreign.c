/* SPDX-License-Identifier: MIT */
/*
 * A user's stream whose controller, root, was killed: root reads what it has
 * beyond the log, and on the word of a segment that is the user's nothing is
 * written, collected or believed.
 */
#include "core/format/layout.h"
#include "core/shm/segment.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#define USER 65534
#define NAME "an event"
#define LOGGED 1000
#define LEFT 10

static char *program;
static char path[64], segment[PTL_SHM_NAME];
static int dir;

static void put(int nr)
{
	trace_event_id_t id;

	posix_trace_eventid_open(NAME, &id);
	for (int i = 0; i < nr; i++)
		posix_trace_event(id, &i, sizeof(i));
}

/* The user's process. */
static int victim(char **argv)
{
	struct proc p = proc_again(argv);

	proc_turn(&p);
	put(LOGGED);
	proc_turn(&p);
	put(LEFT);
	proc_turn(&p);
	return 0;
}

static int start_victim(struct proc *self, void *arg)
{
	(void)arg;
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER))
		return 125;
	proc_exec(self, program, "victim");
	return 126;
}

static int controller(struct proc *self, void *arg)
{
	const struct proc *p = arg;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	trace_attr_t attr;
	trace_id_t trid;

	posix_trace_attr_init(&attr);
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_UNTIL_FULL);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	if (posix_trace_create_withlog(p->pid, &attr, fd, &trid) ||
	    posix_trace_start(trid))
		return 99;
	proc_turn(self);
	posix_trace_flush(trid);
	proc_turn(self);
	return 98;
}

static int note(int at, const char *name, void *arg)
{
	(void)at;
	(void)arg;
	snprintf(segment, sizeof(segment), "%s", name);
	return 1;
}

/* A log, and a segment that has more; the victim lives. */
static void leave(struct proc *victim_proc)
{
	struct proc p;

	proc_start(victim_proc, start_victim, NULL);
	if (!proc_await(victim_proc))
		exit(99);
	proc_start(&p, controller, victim_proc);
	proc_await(&p);
	proc_turn(victim_proc);
	proc_turn(&p);
	proc_turn(victim_proc);
	proc_kill(&p, SIGKILL);
	dir = ptl_rundir_open(USER, false);
	if (!ptl_rundir_each(dir, "s.", note, NULL))
		exit(99);
}

static bool is_there(void)
{
	return faccessat(dir, segment, F_OK, 0) == 0;
}

static uint64_t blocks(void)
{
	struct stat st;

	return fstatat(dir, segment, &st, 0) == 0 ? (uint64_t)st.st_blocks : 1;
}

static void is_same_file(const struct stat *before)
{
	struct stat st;

	ok(stat(path, &st) == 0 && st.st_size == before->st_size &&
		   st.st_mtim.tv_sec == before->st_mtim.tv_sec &&
		   st.st_mtim.tv_nsec == before->st_mtim.tv_nsec,
	   "the log is as it was");
	ok(is_there(), "and the segment where it was");
}

static void merged(void)
{
	struct stat before;

	stat(path, &before);
	is_int(log_count_at(path, NAME), LOGGED + LEFT, "the log and the segment");
	is_int(log_count_at(path, NAME), LOGGED + LEFT, "the second time, too");
	is_same_file(&before);
}

/* The log's end is in the segment, which is the user's. */
static void forged(void)
{
	int fd = openat(dir, segment, O_RDWR);
	uint64_t end = 0, log_off = 0;
	struct stat before;

	pread(fd, &log_off, sizeof(log_off),
	      offsetof(struct ptl_shm_head, log_off));
	pwrite(fd, &end, sizeof(end),
	       (off_t)log_off + (off_t)offsetof(struct ptl_shm_log, end));
	stat(path, &before);
	is_int(log_count_at(path, NAME), LOGGED + LEFT, "an end that is none");
	is_same_file(&before);
	close(fd);
}

static void not_collected(const struct proc *p)
{
	trace_id_t trid;

	is_int(posix_trace_create(p->pid, NULL, &trid), 0, "root traces him");
	ok(is_there(), "what is his is not collected by root");
	posix_trace_shutdown(trid);
	ok(is_there(), "nor later");
}

static void cut(uint64_t size, const char *what)
{
	int fd = openat(dir, segment, O_RDWR);

	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)size))
		diag("no such size");
	close(fd);
	is_int(log_count_at(path, NAME), LOGGED, "%s: the log alone", what);
	is_int((long long)blocks(), 0, "and no memory is taken for it");
}

/* The head is good, all the rest are holes. */
static void sparse(void)
{
	int fd = openat(dir, segment, O_RDWR);
	unsigned char head[4096];
	struct ptl_shm_head *p = (void *)head;
	uint64_t before;

	pread(fd, head, sizeof(head), 0);
	p->prefix.total_size = UINT64_C(64) << 30;
	if (ftruncate(fd, 0) || ftruncate(fd, (off_t)p->prefix.total_size))
		diag("no sparse file");
	pwrite(fd, head, sizeof(head), 0);
	before = blocks();
	is_int(log_count_at(path, NAME), LOGGED, "64 GiB of nothing: the log alone");
	is_int((long long)blocks(), (long long)before,
	       "and no memory is taken for it");
	close(fd);
}

int main(int argc, char **argv)
{
	struct proc p;

	program = argv[0];
	if (argc > 3 && strcmp(argv[1], "victim") == 0)
		return victim(argv);
	if (geteuid() != 0)
		skip_all("not root: nobody to change into");
	private_shm(argv);
	snprintf(path, sizeof(path), "/dev/shm/foreign-%d", (int)getpid());
	leave(&p);
	plan(17);
	merged();
	forged();
	not_collected(&p);
	sparse();
	cut(0, "cut to nothing");
	cut(4096, "cut to a page");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "the user noticed nothing");
	close(dir);
	return done();
}
