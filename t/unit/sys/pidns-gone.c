/* SPDX-License-Identifier: MIT */
/*
 * Of processes in other pid namespaces: only the initial one can tell that one
 * is gone, and nobody takes a live one's streams away, whatever its number
 * means elsewhere.
 */
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <trace.h>
#include <unistd.h>

static struct ptl_shm_ident *there;

static int live(struct proc *self, void *arg)
{
	(void)arg;
	ptl_ident_self(there);
	proc_tell(self);
	proc_await(self);
	return 0;
}

static int first(struct proc *self, void *arg)
{
	proc_as_first(self, live, arg);
	proc_tell(self);
	proc_await(self);
	/* No exit(): the look for leaks makes a process, and here is none to
	 * be made any more. */
	_exit(0);
}

static int judge(struct proc *self, void *arg)
{
	trace_id_t trid;

	(void)self;
	if (ptl_pidns_gone(arg))
		return 1;
	/* Which looks after all streams that there are. */
	return posix_trace_create(0, NULL, &trid) ? 2 : 0;
}

int main(int argc, char **argv)
{
	struct posix_trace_status_info status;
	struct ptl_shm_ident me;
	trace_id_t trid;
	struct proc p;

	(void)argc;
	if (ptl_pidns() != 0xeffffffc || geteuid() != 0)
		skip_all("not root of the initial pid namespace");
	private_shm(argv);
	plan(7);
	ptl_clock_init();
	there = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	proc_start(&p, first, NULL);
	ok(proc_await(&p), "there is a process in another namespace");
	ok(there->pid == 1 && there->pidns != ptl_pidns(), "the first of it");
	ok(!ptl_pidns_gone(there), "it lives");
	proc_tell(&p);
	proc_await(&p);
	ok(ptl_pidns_gone(there), "it is gone");
	proc_tell(&p);
	proc_wait(&p);

	ptl_ident_self(&me);
	if (posix_trace_create(0, NULL, &trid) || posix_trace_start(trid))
		exit(99);
	proc_start_first(&p, judge, &me);
	is_int(proc_wait(&p), 0, "from there we are not judged");
	is_int(posix_trace_get_status(trid, &status), 0, "there is our stream");
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING, "and it runs");
	posix_trace_shutdown(trid);
	return done();
}
