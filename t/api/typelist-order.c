/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventtypelist_getnext_id: always in the same order, for each
 * stream on its own, each with a name; what a traced child opens is in it.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

#define MAX 512

static int list(trace_id_t trid, trace_event_id_t *ids)
{
	int unavailable = 77, n = 0;

	while (n < MAX &&
	       !posix_trace_eventtypelist_getnext_id(trid, &ids[n],
						     &unavailable) &&
	       unavailable == 0) {
		n++;
		unavailable = 77;
	}
	return unavailable == 77 || unavailable == 0 ? -1 : n;
}

static int child(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("the child's");

	(void)arg;
	proc_send(self, &id, sizeof(id));
	proc_await(self);
	return 0;
}

static int index_of(trace_event_id_t id, const trace_event_id_t *ids, int n)
{
	for (int i = 0; i < n; i++)
		if (ids[i] == id)
			return i;
	return -1;
}

int main(void)
{
	trace_event_id_t a[MAX], b[MAX], c[MAX], id, opened[3], got[3];
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_attr_t *attr = stream_attr(0, 0, 0);
	int n, again, unnamed = 0, unset = 0, member, none = 77;
	trace_event_set_t all;
	trace_id_t one, two;
	struct event ev;
	struct proc p;

	plan(14);
	one = stream_make(0, attr_inherit(attr));
	two = stream_make(0, attr);
	opened[0] = event_id("one");
	posix_trace_trid_eventid_open(two, "two", &opened[1]);
	is_int(posix_trace_eventtypelist_getnext_id(one, &id, &none), 0,
	       "[eventtypelist_getnext_id.5] the first");
	is_int(none, 0, "[eventtypelist_getnext_id.3] there is one");
	n = list(two, b);
	ok(n > 9,
	   "[eventtypelist_getnext_id.3 eventtypelist_getnext_id.4] all");
	is_int(b[0], id, "[eventtypelist_getnext_id.1] begins there, too");
	is_int(list(one, a), n - 1,
	       "[eventtypelist_getnext_id.2] the other goes on where it was");
	ok(!memcmp(a, b + 1, (size_t)(n - 1) * sizeof(a[0])),
	   "with the same types");
	posix_trace_eventtypelist_rewind(one);
	ok(list(one, c) == n && !memcmp(b, c, (size_t)n * sizeof(b[0])),
	   "[eventtypelist_rewind.1] and in the same order");
	posix_trace_eventset_fill(&all, POSIX_TRACE_ALL_EVENTS);
	for (int i = 0; i < n; i++) {
		unnamed += posix_trace_eventid_get_name(one, b[i], name) != 0;
		member = 0;
		unset += posix_trace_eventset_ismember(b[i], &all, &member) ||
			 !member;
	}
	is_int(unnamed, 0, "each has a name");
	is_int(unset, 0, "[eventset_fill.3] and is one of all events");

	proc_start(&p, child, NULL);
	proc_receive(&p, &opened[2], sizeof(opened[2]));
	posix_trace_eventtypelist_rewind(one);
	again = list(one, c);
	is_int(index_of(opened[2], c, again) >= n, 1,
	       "[xsh_2_11_names.2] what a traced child opened");
	ok(index_of(opened[0], c, again) > 0 &&
	   index_of(opened[1], c, again) > 0,
	   "[xsh_2_11_names.2] what was there is still there");
	proc_tell(&p);
	proc_wait(&p);
	posix_trace_eventtypelist_rewind(two);
	is_int(list(two, c), again, "[xsh_2_11_names.2] when it is gone, too");

	stream_start(one);
	for (int i = 0; i < 3; i++)
		event_put(opened[i], 1);
	memset(got, 0, sizeof(got));
	for (int i = 0; i < 3 && event_next(one, &ev);)
		if (ev.info.posix_event_id >= 256)
			got[i++] = ev.info.posix_event_id;
	ok(!memcmp(got, opened, sizeof(got)),
	   "[xsh_2_11_1_info.1] events have these ids");
	posix_trace_clear(one);
	posix_trace_eventtypelist_rewind(one);
	is_int(list(one, c), again, "clear forgets no type");
	stream_end(one);
	stream_end(two);
	return done();
}
