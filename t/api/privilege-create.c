/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: EPERM for a process that traces itself, or everyone,
 * after it has changed its user: it would record nothing.  Its children are
 * not concerned.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <sys/wait.h>

#define USER 65534

/* What creating says of that process. */
static int create(pid_t pid)
{
	trace_id_t trid;
	int err = posix_trace_create(pid, NULL, &trid);

	return err ? err : posix_trace_shutdown(trid);
}

/* A child records in a stream of its own. */
static int child_records(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		trace_event_id_t id = event_id("an event");
		trace_id_t trid = stream_run(0, NULL);

		event_put(id, 1);
		_exit(event_count(trid, id) == 1 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	return status;
}

static int effective(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	event_id("an event");
	if (seteuid(USER))
		return 125;
	if (create(0) != EPERM || create(getpid()) != EPERM ||
	    create(POSIX_TRACE_ALLPROC) != EPERM)
		return 1;
	if (child_records() != 0)
		return 2;
	return seteuid(0) || create(0) ? 3 : 0;
}

static int forever(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	event_id("an event");
	if (setresuid(USER, USER, USER))
		return 125;
	return create(0) != EPERM;
}

static int before_first(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	return setresuid(USER, USER, USER) ? 125 : child_records() != 0;
}

int main(void)
{
	struct proc p;

	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: no other to become");
	plan(3);
	proc_start(&p, effective, NULL);
	is_int(proc_wait(&p), 0, "seteuid, and back");
	proc_start(&p, forever, NULL);
	is_int(proc_wait(&p), 0, "setresuid");
	proc_start(&p, before_first, NULL);
	is_int(proc_wait(&p), 0, "a child made since");
	return done();
}
