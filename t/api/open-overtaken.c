/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: a process that is about to complete the log of a killed
 * creator, and is overtaken by another one at any of its system calls, leaves
 * the log as that one made it.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#define NR_EVENTS 10

static int fd, failed, changed, bad;

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");

	(void)arg;
	stream_start(stream_make_log(
		0, stream_attr(1 << 16, 8, POSIX_TRACE_UNTIL_FULL), fd));
	for (unsigned long i = 0; i < NR_EVENTS; i++)
		event_put(id, i);
	proc_turn(self);
	return 0;
}

/* Is each event there once, and the log complete? */
static int check(trace_id_t log)
{
	struct posix_trace_info_np info;
	unsigned long next = 0;
	struct event ev;

	if (posix_trace_get_info_np(log, &info) ||
	    info.log_state != POSIX_TRACE_LOG_COMPLETE_NP)
		return 1;
	while (event_next(log, &ev))
		if (ev.info.posix_event_id >= 256 && ev.word != next++)
			return 1;
	return next != NR_EVENTS;
}

/* Who is overtaken; he is traced by the test until he has opened it. */
static int late(struct proc *self, void *arg)
{
	trace_id_t log;
	int err;

	(void)self;
	(void)arg;
	step_here();
	err = posix_trace_open(fd, &log);
	step_here();
	return err ? 2 : check(log);
}

/* Is he overtaken there?  No longer when he completes it himself. */
static int one_round(int moment)
{
	struct stat made, st;
	int n = 0, overtaken, result;
	struct proc p;

	if (ftruncate(fd, 0))
		exit(1);
	proc_start(&p, controller, NULL);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
	proc_start(&p, late, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	while (n < moment && step_on(&p, PTRACE_SYSCALL))
		n++;
	overtaken = n == moment && log_state(fd) == POSIX_TRACE_LOG_COMPLETE_NP;
	fstat(fd, &made);
	result = step_finish(&p);
	bad += result == 1;
	failed += result > 1;
	fstat(fd, &st);
	changed += overtaken && (st.st_size != made.st_size ||
				 st.st_mtim.tv_sec != made.st_mtim.tv_sec ||
				 st.st_mtim.tv_nsec != made.st_mtim.tv_nsec);
	return overtaken;
}

int main(int argc, char **argv)
{
	int moments = 1;

	(void)argc;
	if (under_valgrind() || under_tsan())
		skip_all("their system calls, too");
	private_shm(argv);
	fd = file_make();
	while (one_round(moments))
		moments++;
	plan(4);
	ok(moments > 20, "overtaken at any of %d moments", moments - 1);
	is_int(failed, 0, "it is opened");
	is_int(changed, 0, "the log is as the other made it");
	is_int(bad, 0, "he reads all of it, each event once");
	return done();
}
