/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: the processes of a family, each with nearly as many
 * names of its own as it may have, have 16384 together; what is more is unnamed
 * and counted.  Ids beyond 4095 are recorded, filtered and read like others.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>

#define NR_NAMES 1000
#define NR_MAX 16384
#define WIDE 4096

/* Records an event of each of its names. */
static int child(struct proc *self, void *arg)
{
	char prefix[32];

	(void)self;
	snprintf(prefix, sizeof(prefix), "of child %d", *(int *)arg);
	for (int i = 0; i < NR_NAMES; i++)
		event_put(event_id_nr(prefix, i), (unsigned long)i);
	return 0;
}

/* So many children, all at once. */
static int run_children(int nr)
{
	struct proc p[20];
	int who[20], bad = 0;

	for (int i = 0; i < nr; i++) {
		who[i] = i;
		proc_start(&p[i], child, &who[i]);
	}
	for (int i = 0; i < nr; i++)
		bad += proc_wait(&p[i]) != 0;
	return bad;
}

/* What is in the log: events with the name that goes with their data. */
struct found {
	int named, unnamed, wrong;
};

static struct found read_log(int fd)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_id_t log = log_open(fd);
	struct found found = { 0 };
	struct event ev;

	while (event_next(log, &ev)) {
		trace_event_id_t id = ev.info.posix_event_id;
		unsigned long number;

		if (id == POSIX_TRACE_UNNAMED_USEREVENT)
			found.unnamed++;
		else if (id < 256)
			continue; /* START, and so on */
		else if (posix_trace_eventid_get_name(log, id, name) ||
			 sscanf(name, "of child %*d %lu", &number) != 1 ||
			 number != ev.word)
			found.wrong++;
		else
			found.named++;
	}
	posix_trace_close(log);
	return found;
}

static trace_attr_t *large(void)
{
	return attr_inherit(stream_attr(4 << 20, 0, 0));
}

/* Returns how many names were refused, by what the log says. */
static unsigned long long run_log(int nr, struct found *found)
{
	struct posix_trace_info_np info = { 0 };
	trace_id_t trid, log;
	int fd = file_make();

	trid = stream_make_log(0, large(), fd);
	stream_only_user(trid);
	stream_start(trid);
	is_int(run_children(nr), 0, "%d children of %d names", nr, NR_NAMES);
	stream_end(trid);
	*found = read_log(fd);
	log = log_open(fd);
	posix_trace_get_info_np(log, &info);
	posix_trace_close(log);
	is_int(found->wrong, 0, "no event has another's name");
	return info.names_refused;
}

static void filter_wide(void)
{
	trace_id_t trid = stream_make(0, large());
	trace_event_set_t set;
	struct event ev;
	int is_member = 0;

	stream_only_user(trid);
	posix_trace_get_filter(trid, &set);
	posix_trace_eventset_add(WIDE + 1, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	posix_trace_get_filter(trid, &set);
	posix_trace_eventset_ismember(WIDE + 1, &set, &is_member);
	ok(is_member, "the filter says what it filters");
	stream_start(trid);
	event_put(WIDE, 1);
	event_put(WIDE + 1, 2);
	posix_trace_event(_PTL_EVENT_ID_LIMIT - 1, "a few bytes", 11);
	ok(event_find(trid, WIDE, &ev) && ev.word == 1, "an id of 4096");
	ok(event_next(trid, &ev) &&
	   ev.info.posix_event_id == _PTL_EVENT_ID_LIMIT - 1 && ev.size == 11 &&
	   !memcmp(ev.data, "a few bytes", 11), "the last, none between");
	ok(!event_next(trid, &ev), "each is read once");
	stream_end(trid);
}

int main(void)
{
	struct found found;

	plan(14);
	/* The second time in the same family: names that are there. */
	is_int((long long)run_log(8, &found), 0, "none is refused");
	is_int(found.named, 8 * NR_NAMES,
	       "[xsh_2_11_names.2] all have their names");
	is_int(found.unnamed, 0, "none is unnamed");
	is_int((long long)run_log(17, &found), 17 * NR_NAMES - NR_MAX,
	       "what is too many is counted");
	is_int(found.named, NR_MAX, "as many as there can be have names");
	is_int(found.unnamed, 17 * NR_NAMES - NR_MAX, "[eventid_open.6] the "
	       "others have none");
	filter_wide();
	return done();
}
