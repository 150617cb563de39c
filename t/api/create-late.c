/* SPDX-License-Identifier: MIT */
/* A process that could not enter the registry when it began does so when it
 * creates a stream; and has no stream without. */
#include "t/lib/tap.h"

#include <errno.h>
#include <sys/resource.h>
#include <trace.h>
#include <unistd.h>

/* How many descriptors there may be: one, which ld.so needs, is too few. */
static void limit(rlim_t files)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = files;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	char *again[] = {argv[0], (char *)"again", NULL};
	struct posix_trace_event_info info;
	trace_event_id_t id;
	trace_id_t trid;
	int unavailable = 1;
	char data[64];
	size_t size;

	if (argc == 1) {
		closefrom(3);
		limit(4);
		execv(argv[0], again);
		return 2;
	}
	plan(3);
	is_int(posix_trace_create(0, NULL, &trid), EMFILE,
	       "still no descriptors");
	limit(64);
	is_int(posix_trace_create(0, NULL, &trid), 0, "now there are some");
	posix_trace_eventid_open("mine", &id);
	posix_trace_start(trid);
	posix_trace_event(id, NULL, 0);
	do
		posix_trace_trygetnext_event(trid, &info, data, sizeof(data),
					     &size, &unavailable);
	while (!unavailable && info.posix_event_id != id);
	ok(!unavailable, "the event is recorded");
	return done();
}
