/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: names, ids and attributes stay; the stream holds as much
 * as before, a thousand times; nothing leaks; no other trid is touched.
 */
#include "t/lib/proc.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static unsigned long capacity(trace_id_t trid, trace_event_id_t id)
{
	unsigned long n = 0;

	while (n < 100000 && status_of(trid).posix_stream_full_status ==
				     POSIX_TRACE_NOT_FULL)
		story_put(id, 0, n++);
	return n;
}

static int child(struct proc *self, void *arg)
{
	(void)self;
	return posix_trace_clear(*(trace_id_t *)arg) == EINVAL ? 0 : 1;
}

static void trids(trace_id_t live)
{
	int fd = file_make();
	trace_id_t trid = stream_make_log(0, NULL, fd), log;
	struct proc p;

	proc_start(&p, child, &live);
	is_int(proc_wait(&p), 0, "[clear.16] [create.14] in a child");
	stream_end(trid);
	is_int(posix_trace_clear(trid), EINVAL, "[clear.16] after shutdown");
	log = log_open(fd);
	is_int(posix_trace_clear(log), EINVAL, "[clear.16] a log");
	posix_trace_close(log);
	is_int(posix_trace_clear(log), EINVAL, "[clear.16] closed");
	is_int(posix_trace_clear(0), EINVAL, "[clear.16] 0");
	is_int(posix_trace_clear((trace_id_t)-1), EINVAL, "[clear.16] -1");
}

int main(void)
{
	trace_attr_t *attr = stream_attr(32768, 77, POSIX_TRACE_UNTIL_FULL);
	trace_attr_t before, after;
	trace_event_id_t id = event_id("an event"), late, got;
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned long room, n, least = -1ul, most = 0;
	struct event ev;
	trace_id_t trid, other;
	int bad = 0, fds, none, listed = 0, maps;
	struct story story;

	plan(21);
	posix_trace_attr_setname(attr, "its name");
	trid = stream_make(0, attr);
	other = stream_make(0, NULL);
	stream_start(other);
	posix_trace_get_attr(trid, &before);
	stream_begin(trid);
	room = capacity(trid, id);
	late = event_id("opened late");
	posix_trace_trid_eventid_open(trid, "by the controller", &got);
	is_int(posix_trace_clear(trid), 0, "[clear.1] full");
	is_int(status_of(trid).posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[clear.18] suspended, as before");
	is_int(posix_trace_start(trid), 0, "[clear.18] start");
	is_int(status_of(trid).posix_stream_status, POSIX_TRACE_RUNNING,
	       "[clear.18] it runs");
	fds = proc_entries("fd");
	maps = proc_entries("map_files");
	for (int i = 0; i < 1000; i++) {
		bad += posix_trace_clear(trid) != 0;
		stream_only_user(trid);
		if (i % 50)
			continue;
		n = capacity(trid, id);
		least = n < least ? n : least;
		most = n > most ? n : most;
		bad += posix_trace_clear(trid) != 0;
		stream_start(trid);
	}
	is_int(bad, 0, "[clear.1] a thousand times");
	ok(least + room / 8 >= room && most <= room + room / 8,
	   "[clear.2] room for as many: %lu, then %lu to %lu", room, least,
	   most);
	is_int(proc_entries("fd"), fds, "[clear.2] no descriptor more");
	ok(proc_entries("map_files") <= maps + 2,
	   "[clear.2] no mapping more");
	posix_trace_get_attr(trid, &after);
	ok(!memcmp(&before, &after, sizeof(after)),
	   "[clear.2] the attributes are what they were");
	is_int(event_id("an event"), id, "[clear.3] the id of a name");
	is_int(posix_trace_trid_eventid_open(trid, "by the controller", &got),
	       0, "[clear.3] a name opened by the controller");
	posix_trace_eventid_get_name(trid, got, name);
	is_str(name, "by the controller", "[clear.3] the name of an id");
	posix_trace_eventid_get_name(trid, late, name);
	is_str(name, "opened late", "[clear.3] one opened late");
	posix_trace_eventtypelist_rewind(trid);
	while (!posix_trace_eventtypelist_getnext_id(trid, &got, &none) &&
	       !none)
		listed += got == id || got == late;
	is_int(listed, 2, "[clear.3] they are listed");
	story_read(other, id, &story);
	ok(story.users >= (long)room,
	   "[clear.6] another stream keeps its events");
	trids(trid);
	while (event_next(trid, &ev))
		;
	stream_end(trid);
	stream_end(other);
	return done();
}
