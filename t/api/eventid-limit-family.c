/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: the limit is each process's own; a name that
 * another process traced into the stream has opened keeps its id beyond it;
 * one refused is listed nowhere.  Names may all be as long as they can be.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>

/* POSIX_TRACE_UNNAMED_USEREVENT is one of the types. */
#define NR_NAMES (TRACE_USER_EVENT_MAX - 1)

static trace_event_id_t ids[NR_NAMES];

/* A name of the greatest length. */
static trace_event_id_t open_nr(const char *whose, int i)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int len = snprintf(name, sizeof(name), "%s %d ", whose, i);

	memset(name + len, 'x', sizeof(name) - (size_t)len - 1);
	name[TRACE_EVENT_NAME_MAX] = '\0';
	return event_id(name);
}

static int count_bad(const char *whose, int nr)
{
	int bad = 0;

	for (int i = 0; i < nr; i++) {
		trace_event_id_t id = open_nr(whose, i);

		bad += id < 256 || (ids[i] && ids[i] != id);
		ids[i] = id;
	}
	return bad;
}

static int child(struct proc *self, void *arg)
{
	int got[4];

	(void)arg;
	proc_await(self);
	/* Short ones, for there is room for some more names only. */
	got[0] = 0;
	for (int i = 0; i < NR_NAMES; i++)
		got[0] += event_id_nr("child's", i) < 256;
	got[1] = (int)event_id("of the child, one more");
	got[2] = (int)open_nr("parent's", 5);
	got[3] = (int)event_id("child's 7");
	proc_send(self, got, sizeof(got));
	proc_await(self);
	return 0;
}

static int is_listed(trace_id_t trid, const char *wanted)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int unavailable, n = 0;
	trace_event_id_t id;

	posix_trace_eventtypelist_rewind(trid);
	while (!posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable) &&
	       !unavailable)
		n += !posix_trace_eventid_get_name(trid, id, name) &&
		     !strcmp(name, wanted);
	return n;
}

int main(void)
{
	trace_id_t trid;
	struct proc p;
	int got[4];

	plan(11);
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	proc_start(&p, child, NULL);
	is_int(count_bad("parent's", NR_NAMES), 0,
	       "[eventid_open.3 eventid_open.2] so many names of the parent");
	proc_tell(&p);
	proc_receive(&p, got, sizeof(got));
	is_int(got[0], 0, "[eventid_open.3] and as many others of the child");
	is_int(got[1], POSIX_TRACE_UNNAMED_USEREVENT,
	       "[eventid_open.6] and no more");
	is_int(got[2], ids[5],
	       "[eventid_open.4 eventid_open.5] but its parent's");
	is_int(event_id("child's 7"), got[3],
	       "[eventid_open.4 eventid_open.5] or of its child");
	is_int(event_id("of the parent, one more"),
	       POSIX_TRACE_UNNAMED_USEREVENT, "[eventid_open.6] no more here");
	is_int(event_id("of the parent, one more"),
	       POSIX_TRACE_UNNAMED_USEREVENT, "[eventid_open.6] nor again");
	is_int(is_listed(trid, "of the parent, one more") +
	       is_listed(trid, "of the child, one more"), 0,
	       "what was refused is not listed");
	is_int(is_listed(trid, "child's 1022"), 1,
	       "[xsh_2_11_names.2] what was not is");
	is_int(count_bad("parent's", NR_NAMES), 0,
	       "[eventid_open.4] all keep their ids");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "the child is content");
	stream_end(trid);
	return done();
}
