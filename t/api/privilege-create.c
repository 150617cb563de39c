/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: a process that has changed its user can trace itself, and
 * everyone that it is; names that it knew keep their numbers, its children
 * record, and when it is what it was before it can do so again.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/wait.h>

#define USER 65534

static trace_event_id_t known;

/* How many of the events of a fork child and of ours are read; -1: not all are
 * in their order, or of their names. */
static int records_in(pid_t traced)
{
	trace_id_t trid =
		stream_run(traced, attr_inherit(stream_attr(0, 0, 0)));
	trace_event_id_t fresh = event_id("fresh");
	struct event ev;
	int nr = 0;
	pid_t pid;

	event_put(known, 1);
	pid = fork();
	if (pid == 0) {
		event_put(fresh, 2);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	event_put(known, 3);
	if (event_find_name(trid, "known", &ev))
		nr += ev.number == 1;
	if (event_find_name(trid, "fresh", &ev))
		nr += ev.number == 2;
	if (event_find_name(trid, "known", &ev))
		nr += ev.number == 3;
	stream_end(trid);
	return nr;
}

/* What everyone's events are called is for the first to say who traces them. */
static int is_among_all(void)
{
	trace_id_t trid = stream_run(POSIX_TRACE_ALLPROC, NULL);
	struct event ev;
	int found = 0;

	event_put(known, 4711);
	while (event_next(trid, &ev))
		found |= ev.info.posix_pid == getpid() && ev.number == 4711;
	stream_end(trid);
	return found;
}

static int all_record(void)
{
	return records_in(0) == 3 && records_in(getpid()) == 3 &&
	       is_among_all();
}

/* A child records in a stream of its own. */
static int child_records(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(!all_record());
	waitpid(pid, &status, 0);
	return status;
}

static int effective(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	known = event_id("known");
	if (seteuid(USER))
		return 125;
	if (child_records() || !all_record())
		return 1;
	if (child_records())
		return 2;
	if (seteuid(0))
		return 125;
	return child_records() || !all_record() ? 3 : 0;
}

static int forever(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	known = event_id("known");
	if (setresuid(USER, USER, USER))
		return 125;
	return child_records() ? 1 : all_record() ? 0 : 2;
}

static int before_first(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	if (setresuid(USER, USER, USER))
		return 125;
	known = event_id("known");
	return child_records() ? 1 : all_record() ? 0 : 2;
}

/* It is traced as root was: what it calls by a new name has none there. */
static int both(struct proc *self, void *arg)
{
	known = event_id("known");
	event_put(known, 4);
	if (setresuid(USER, USER, USER))
		return 125;
	(void)self;
	(void)arg;
	event_put(event_id("too late"), 5);
	event_put(known, 6);
	return 0;
}

static void traced_by_root(void)
{
	struct posix_trace_info_np info;
	struct event ev;
	trace_id_t trid;
	struct proc p;
	int sum = 0;

	trid = stream_run(0, attr_inherit(stream_attr(0, 0, 0)));
	proc_start(&p, both, NULL);
	is_int(proc_wait(&p), 0, "root's stream");
	event_id("something else");
	while (event_find_name(trid, "known", &ev))
		sum = sum * 10 + ev.number;
	is_int(sum, 46, "has what the process knew before");
	is_int(posix_trace_get_info_np(trid, &info), 0, "get_info");
	is_int(info.names_refused, 1, "and says that there was another name");
	stream_end(trid);
}

int main(void)
{
	struct proc p;

	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: no other to become");
	plan(7);
	proc_start(&p, effective, NULL);
	is_int(proc_wait(&p), 0, "seteuid, and back");
	proc_start(&p, forever, NULL);
	is_int(proc_wait(&p), 0, "setresuid");
	proc_start(&p, before_first, NULL);
	is_int(proc_wait(&p), 0, "before it has asked for anything");
	traced_by_root();
	return done();
}
