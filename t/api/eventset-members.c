/* SPDX-License-Identifier: MIT */
/* What is added is in the set, what is deleted is not, and no other changes. */
#include <trace.h>

#include "t/lib/tap.h"

static int is_member(trace_event_id_t id, const trace_event_set_t *set)
{
	int ret = -1;

	if (posix_trace_eventset_ismember(id, set, &ret))
		return -1;
	return ret != 0;
}

static int count_members(const trace_event_set_t *set)
{
	int n = 0;

	for (trace_event_id_t id = 0; id < _PTL_EVENT_ID_LIMIT; id++)
		n += is_member(id, set) == 1;
	return n;
}

int main(void)
{
	const trace_event_id_t user = 256, last = _PTL_EVENT_ID_LIMIT - 1;
	trace_event_set_t set, copy;

	plan(16);
	is_int(posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS), 0,
	       "fill");
	is_int(posix_trace_eventset_empty(&set), 0,
	       "[eventset_empty.2] empty");
	is_int(count_members(&set), 0,
	       "[eventset_empty.1 eventset_ismember.1] has no members");
	is_int(posix_trace_eventset_add(POSIX_TRACE_START, &set), 0,
	       "[eventset_add.4] add");
	is_int(posix_trace_eventset_add(user, &set), 0, "add a user's");
	is_int(posix_trace_eventset_add(last, &set), 0, "add the last");
	is_int(posix_trace_eventset_add(user, &set), 0,
	       "[eventset_add.2] add it again");
	is_int(count_members(&set), 3, "[eventset_add.1] three members");
	ok(is_member(POSIX_TRACE_START, &set) == 1 &&
	   is_member(user, &set) == 1 && is_member(last, &set) == 1,
	   "[eventset_add.1 eventset_ismember.1] these three");
	copy = set;
	is_int(posix_trace_eventset_del(user, &set), 0,
	       "[eventset_del.4] delete");
	is_int(posix_trace_eventset_del(user, &set), 0,
	       "[eventset_del.2] delete it again");
	is_int(is_member(user, &set), 0, "[eventset_del.1] it is gone");
	is_int(count_members(&set), 2, "[eventset_del.1] two are left");
	is_int(is_member(user, &copy), 1, "a copy is a copy");
	is_int(posix_trace_eventset_del(POSIX_TRACE_START, &set), 0, "delete");
	is_int(count_members(&set), 1, "one is left");
	return done();
}
