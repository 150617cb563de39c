/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: completing the log of a killed creator may itself be killed
 * at any point and is done again by the next, nothing lost or doubled.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>

#define NR_ROUNDS 25
#define NR_KILLS 6
#define NR_EVENTS 30000

static int fd;

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid;

	(void)arg;
	trid = stream_make_log(0, stream_attr(NR_EVENTS * 80, 8,
					      POSIX_TRACE_UNTIL_FULL), fd);
	stream_start(trid);
	for (unsigned long i = 0; i < NR_EVENTS; i++)
		event_put(id, i);
	proc_turn(self);
	return 0;
}

static int recoverer(struct proc *self, void *arg)
{
	trace_id_t trid;

	(void)arg;
	proc_tell(self);
	return posix_trace_open(fd, &trid);
}

static int short_, bad, incomplete, not_open, killed;

static void one_round(void)
{
	struct posix_trace_info_np info;
	unsigned long next = 0;
	struct event ev;
	struct proc p;
	trace_id_t log;
	int status;

	if (ftruncate(fd, 0))
		exit(1);
	proc_start(&p, controller, NULL);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
	for (int i = 0; i < NR_KILLS; i++) {
		proc_start(&p, recoverer, NULL);
		proc_await(&p);
		for (volatile int n = rand() % 300000; n > 0; n--)
			;
		status = proc_kill(&p, SIGKILL);
		killed += status == 128 + SIGKILL;
		not_open += status != 128 + SIGKILL && status != 0;
	}
	log = log_open(fd);
	posix_trace_get_info_np(log, &info);
	incomplete += info.log_state != POSIX_TRACE_LOG_COMPLETE_NP;
	while (event_next(log, &ev))
		if (ev.info.posix_event_id >= 256)
			bad += ev.word != next++;
	short_ += next != NR_EVENTS;
	posix_trace_close(log);
}

int main(int argc, char **argv)
{
	(void)argc;
	private_shm(argv);
	plan(6);
	srand((unsigned int)getpid());
	fd = file_make();
	for (int i = 0; i < NR_ROUNDS; i++)
		one_round();
	ok(killed > 0, "%d of %d killed", killed, NR_ROUNDS * NR_KILLS);
	is_int(not_open, 0, "the others open it");
	is_int(incomplete, 0, "each log is complete");
	is_int(short_, 0, "with all events");
	is_int(bad, 0, "none doubled or out of order");
	for (int i = 0; i < 3; i++)
		stream_end(stream_make(0, NULL));
	ok(shm_files() <= 2, "nothing but our own block and names is left");
	diag("%d files", shm_files());
	return done();
}
