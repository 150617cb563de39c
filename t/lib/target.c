/* SPDX-License-Identifier: MIT */
#include "t/lib/stream.h"
#include "t/lib/target.h"

static int target(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	unsigned long nr = *(unsigned long *)arg;

	proc_tell(self);
	while (proc_await(self)) {
		for (unsigned long i = 0; i < nr; i++)
			event_put(id, i);
		proc_tell(self);
	}
	return 0;
}

void target_start(struct proc *p, int nr)
{
	unsigned long each = (unsigned long)nr;

	proc_start(p, target, &each);
	proc_await(p);
}
