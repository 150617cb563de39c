/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create_withlog: when its creator is killed the log is complete
 * by the time it is opened, also if the traced process dies with it.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define NR_ROUNDS 60

static _Atomic unsigned long *done_of;	/* 0: creator's, 1: its child's */
static int fd;

static void record(trace_event_id_t id, int who)
{
	for (unsigned long i = 1;; i++) {
		event_put(id, (unsigned long)who << 48 | i);
		done_of[who] = i;
		/* The flusher keeps up, or is not kept from its processor for
		 * longer than the stream lasts: then nothing is lost. */
		if (i % 500 == 0)
			usleep(200);
	}
}

static int other(struct proc *self, void *arg)
{
	(void)self;
	record(*(trace_event_id_t *)arg, 1);
	return 0;
}

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	struct proc p;

	(void)arg;
	stream_begin(stream_make_log(
		0, attr_inherit(stream_attr(16 << 20, 8, 0)), fd));
	proc_start(&p, other, &id);
	proc_send(self, &p.pid, sizeof(p.pid));
	record(id, 0);
	return 0;
}

static int missing, bad, incomplete, no_stop, killed;

static void read_log(void)
{
	unsigned long last[2] = { 0, 0 };
	struct posix_trace_info_np info;
	struct event ev;
	trace_id_t log = log_open(fd);
	int stop = 0;

	posix_trace_get_info_np(log, &info);
	incomplete += info.log_state != POSIX_TRACE_LOG_COMPLETE_NP;
	while (event_next(log, &ev)) {
		stop = ev.info.posix_event_id == POSIX_TRACE_STOP;
		/* The only name there is. */
		if (ev.info.posix_event_id > POSIX_TRACE_UNNAMED_USEREVENT)
			bad += (ev.word & 0xffffffffffff) !=
			       ++last[ev.word >> 48];
	}
	no_stop += !stop;
	for (int i = 0; i < 2; i++)
		missing += last[i] < done_of[i];
	posix_trace_close(log);
}

static void one_round(int round)
{
	struct proc p;
	pid_t others;

	done_of[0] = done_of[1] = 0;
	if (ftruncate(fd, 0))
		exit(1);
	proc_start(&p, controller, NULL);
	proc_receive(&p, &others, sizeof(others));
	while (done_of[round % 2] < (unsigned long)(rand() % 5000) + 1)
		;
	if (round % 3 == 0)
		kill(others, SIGKILL);
	killed += proc_kill(&p, SIGKILL) == 128 + SIGKILL;
	/* It dies with its parent: then it records no more. */
	waitpid(others, NULL, 0);
	read_log();
}

int main(int argc, char **argv)
{
	(void)argc;
	private_shm(argv);
	plan(6);
	/* Its child's child will be ours, and be reaped. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	srand((unsigned int)getpid());
	fd = file_make();
	done_of = proc_shared();
	for (int i = 0; i < NR_ROUNDS; i++)
		one_round(i);
	is_int(killed, NR_ROUNDS, "killed");
	is_int(incomplete, 0, "[shutdown.6] each log is complete");
	is_int(no_stop, 0, "[shutdown.6] and ends with STOP");
	is_int(missing, 0, "[shutdown.6] no event is missing");
	is_int(bad, 0, "none is doubled or out of order");
	/* Each round's dead processes are collected by two later looks. */
	for (int i = 0; i < 3; i++)
		stream_end(stream_make(0, NULL));
	ok(shm_files() <= 2, "nothing but our own block and names is left");
	diag("%d files", shm_files());
	return done();
}
