/* SPDX-License-Identifier: MIT */
/*
 * A log that may not grow as far as its stream has events takes all that it has
 * room for, but for the last few, whatever the policies: and what is in it and
 * what is lost is what there was.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define NR 20000UL
#define LIMIT 150000UL
/* What of it may be left free: in smaller pieces nothing is tried. */
#define FREE 8192

static const struct {
	int policy, log_policy;
	const char *name;
} kinds[] = {
	{POSIX_TRACE_LOOP, POSIX_TRACE_APPEND, "loop, append"},
	{POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_APPEND, "until-full, append"},
	{POSIX_TRACE_FLUSH, POSIX_TRACE_APPEND, "flush, append"},
	{POSIX_TRACE_BLOCK_NP, POSIX_TRACE_APPEND, "block, append"},
	{POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_UNTIL_FULL,
	 "until-full, until-full"},
	{POSIX_TRACE_LOOP, POSIX_TRACE_LOOP, "loop, loop"},
};

static trace_event_id_t id;

/* Without a name: nobody else, who may let it grow, finds it to complete it. */
static int make_file(void)
{
	char path[] = "/tmp/ptl-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	return fd;
}

/* There is room for all of them in the stream. */
static void fill(trace_id_t trid)
{
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, 0, i);
	posix_trace_stop(trid);
}

/* Four tests. */
static void check(int policy, int log_policy, const char *name)
{
	struct posix_trace_info_np info;
	struct story story;
	struct stat st;
	bool is_copied_late =
		policy == POSIX_TRACE_LOOP || policy == POSIX_TRACE_UNTIL_FULL;
	int fd = make_file();
	trace_id_t trid = stream_begin(stream_make_log(
		0, story_attr(1 << 20, policy, 4 << 20, log_policy), fd));

	file_limit(LIMIT);
	fill(trid);
	posix_trace_shutdown_np(trid, &info);
	fstat(fd, &st);
	ok(st.st_size > (long)LIMIT - FREE && st.st_size <= (long)LIMIT,
	   "%s: the log takes what it may: %ld bytes", name, (long)st.st_size);
	/* What is left is still there, for who can complete the log. */
	story_log(fd, id, &story);
	file_limit(RLIM_INFINITY);
	ok(story.users > 0 && info.lost > 0, "%s: %ld events are in it", name,
	   story.users);
	/* STOP is an event, too. */
	is_int(story.users + (long)info.lost,
	       (long)NR + !story.system[POSIX_TRACE_STOP],
	       "%s: each event is there or counted", name);
	/* Copied while it is filled, a chunk may not be at its end when the
	 * next is copied: the log can end between. */
	is_int(is_copied_late ? story_gaps(&story) + story_disorder(&story) :
				story_disorder(&story),
	       0, "%s: those in it are %sin order", name,
	       is_copied_late ? "the first, " : "");
	close(fd);
}

int main(void)
{
	plan(4 * (int)(sizeof(kinds) / sizeof(kinds[0])));
	id = event_id("an event");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		check(kinds[i].policy, kinds[i].log_policy, kinds[i].name);
	return done();
}
