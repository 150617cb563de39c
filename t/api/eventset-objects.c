/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventset_*: they change the object they are given and nothing
 * else: no stream's filter, no other set, nothing around it; each id of a type
 * that exists is one for them.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

struct guarded {
	unsigned char before[64];
	trace_event_set_t set;
	unsigned char after[64];
};

static int untouched(const struct guarded *g)
{
	for (size_t i = 0; i < sizeof(g->before); i++)
		if (g->before[i] != 0xa5 || g->after[i] != 0xa5)
			return 0;
	return 1;
}

static int in(trace_event_id_t id, const trace_event_set_t *set)
{
	int ret = -1;

	return posix_trace_eventset_ismember(id, set, &ret) ? -1 : ret != 0;
}

static int same_filter(trace_id_t trid, const trace_event_set_t *set)
{
	trace_event_set_t now;

	posix_trace_get_filter(trid, &now);
	return !memcmp(&now, set, sizeof(now));
}

/* The first and the last type, and ones on both sides of a word's border. */
static int try_ids(struct guarded *g, trace_event_id_t user)
{
	const trace_event_id_t ids[] = { POSIX_TRACE_ERROR, POSIX_TRACE_STOP,
					 POSIX_TRACE_UNNAMED_USER_EVENT, user,
					 256, 319, 320,
					 _PTL_EVENT_ID_LIMIT - 1 };
	int bad = 0;

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		posix_trace_eventset_empty(&g->set);
		bad += posix_trace_eventset_add(ids[i], &g->set) != 0;
		for (size_t j = 0; j < sizeof(ids) / sizeof(ids[0]); j++)
			bad += in(ids[j], &g->set) != (ids[j] == ids[i]);
		posix_trace_eventset_fill(&g->set, POSIX_TRACE_ALL_EVENTS);
		bad += posix_trace_eventset_del(ids[i], &g->set) != 0;
		for (size_t j = 0; j < sizeof(ids) / sizeof(ids[0]); j++)
			bad += in(ids[j], &g->set) == (ids[j] == ids[i]);
	}
	return bad;
}

int main(void)
{
	trace_event_id_t user = event_id("an event");
	trace_event_set_t filter, copy;
	struct guarded g;
	int member = 1;
	trace_id_t trid;

	plan(14);
	memset(&g, 0xa5, sizeof(g));
	trid = stream_make(0, NULL);
	posix_trace_eventset_empty(&filter);
	posix_trace_eventset_add(user, &filter);
	posix_trace_set_filter(trid, &filter, POSIX_TRACE_SET_EVENTSET);
	copy = filter;

	is_int(try_ids(&g, user), 0, "[eventset_add.1 eventset_del.1] ids");
	ok(untouched(&g), "nothing around the set is touched");
	posix_trace_get_filter(trid, &g.set);
	is_int(posix_trace_eventset_add(POSIX_TRACE_START, &g.set), 0,
	       "[eventset_add.4] add to what was a filter");
	ok(same_filter(trid, &copy), "[eventset_add.3] the filter stays");
	is_int(posix_trace_eventset_del(user, &g.set), 0,
	       "[eventset_del.4] delete from it");
	ok(same_filter(trid, &copy), "[eventset_del.3] the filter stays");
	posix_trace_eventset_fill(&filter, POSIX_TRACE_ALL_EVENTS);
	posix_trace_eventset_empty(&filter);
	ok(same_filter(trid, &copy), "nor do others change it");

	is_int(posix_trace_eventset_ismember(user, &copy, &member), 0,
	       "[eventset_ismember.2] of a member");
	ok(member != 0, "[eventset_ismember.1] not 0");
	is_int(posix_trace_eventset_ismember(user, &filter, &member), 0,
	       "[eventset_ismember.2] of none");
	is_int(member, 0, "[eventset_ismember.1] 0");

	memset(&g.set, 0xff, sizeof(g.set));
	posix_trace_eventset_empty(&g.set);
	is_int(in(user, &g.set) + in(POSIX_TRACE_START, &g.set), 0,
	       "[eventset_empty.1] whatever was there");
	memset(&g.set, 0xff, sizeof(g.set));
	posix_trace_eventset_fill(&g.set, POSIX_TRACE_SYSTEM_EVENTS);
	is_int(in(user, &g.set), 0, "[eventset_fill.4] whatever was there");
	ok(untouched(&g), "nothing around the set is touched");
	stream_end(trid);
	return done();
}
