/* SPDX-License-Identifier: MIT */
/*
 * fork: the child inherits the mapping of names to ids, and names opened later
 * on either side are the same type on both.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static int child(struct proc *self, void *arg)
{
	trace_event_id_t ids[3];

	(void)arg;
	ids[0] = event_id("before");
	ids[1] = event_id("child's");
	proc_send(self, ids, sizeof(ids[0]) * 2);
	proc_await(self);
	ids[2] = event_id("parent's");
	proc_send(self, &ids[2], sizeof(ids[2]));
	return 0;
}

int main(void)
{
	trace_event_id_t before = 0, got[3], parents;
	struct proc p;

	plan(4);
	posix_trace_eventid_open("before", &before);
	proc_start(&p, child, NULL);
	proc_receive(&p, got, sizeof(got[0]) * 2);
	is_int(got[0], before,
	       "[fork.2] [eventid_open.4 xsh_2_11_names.1] opened before the fork");
	is_int(event_id("child's"), got[1],
	       "[fork.10] [eventid_open.5] opened by the child first");
	parents = event_id("parent's");
	proc_tell(&p);
	proc_receive(&p, &got[2], sizeof(got[2]));
	is_int(got[2], parents,
	       "[eventid_open.5] opened by the parent first");
	is_int(proc_wait(&p), 0, "the child is content");
	return done();
}
