/* SPDX-License-Identifier: MIT */
/* No set, no result, or an id that can be no event type's: EINVAL. */
#include <trace.h>

#include "t/lib/tap.h"

#include <errno.h>
#include <limits.h>

int main(void)
{
	const trace_event_id_t odd[] = { 0, 10, 15, 39, _PTL_EVENT_ID_LIMIT,
					 INT_MAX, 0x80000000u, UINT_MAX };
	const int nr_odd = sizeof(odd) / sizeof(odd[0]);
	trace_event_set_t set;
	int member = 42, bad = 0;

	plan(12);
	errno = 0;
	is_int(posix_trace_eventset_empty(NULL), EINVAL,
	       "[eventset_empty.3] empty nothing");
	is_int(posix_trace_eventset_fill(NULL, POSIX_TRACE_ALL_EVENTS), EINVAL,
	       "[eventset_fill.6] fill nothing");
	is_int(posix_trace_eventset_add(1, NULL), EINVAL,
	       "[eventset_add.5] add to nothing");
	is_int(posix_trace_eventset_del(1, NULL), EINVAL,
	       "[eventset_del.5] delete in nothing");
	is_int(posix_trace_eventset_ismember(1, NULL, &member), EINVAL,
	       "[eventset_ismember.3] look in nothing");
	posix_trace_eventset_empty(&set);
	is_int(posix_trace_eventset_ismember(1, &set, NULL), EINVAL,
	       "[eventset_ismember.3] tell nobody");
	is_int(posix_trace_eventset_fill(&set, -1), EINVAL, "fill with -1");
	is_int(posix_trace_eventset_fill(&set, POSIX_TRACE_LOOP), EINVAL,
	       "[eventset_fill.6] fill with a policy");
	for (int i = 0; i < nr_odd; i++) {
		bad += posix_trace_eventset_add(odd[i], &set) != EINVAL;
		bad += posix_trace_eventset_del(odd[i], &set) != EINVAL;
		bad += posix_trace_eventset_ismember(odd[i], &set, &member) !=
		       EINVAL;
	}
	is_int(bad, 0,
	       "[eventset_add.5 eventset_del.5 eventset_ismember.3] "
	       "%d odd ids", nr_odd);
	is_int(member, 42, "the result is untouched");
	is_int(errno, 0, "errno is left alone");
	is_int(posix_trace_eventset_add(POSIX_TRACE_STOP, &set), 0,
	       "and now for a good one");
	return done();
}
