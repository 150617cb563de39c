/* SPDX-License-Identifier: MIT */
/* posix_trace_set_selection_np takes tests that can be made, and no others. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

static trace_id_t trid;

static int set(struct posix_trace_selection_np selection)
{
	return posix_trace_set_selection_np(trid, &selection);
}

#define SET(...) set((struct posix_trace_selection_np){__VA_ARGS__})

int main(void)
{
	const int fds[17] = {0}, bad[] = {1, -1};
	struct posix_trace_info_np info;
	char paths[257];

	plan(12);
	trid = stream_make(0, NULL);
	is_int(posix_trace_set_selection_np(trid, NULL), 0, "all");
	is_int(SET(.failed = 1), 0, "failures");
	is_int(SET(.shortest = {1, 999999999}), 0, "a time");
	is_int(SET(.shortest = {0, 1000000000}), EINVAL, "none");
	is_int(SET(.shortest = {-1, 0}), EINVAL, "a negative one");
	is_int(SET(.fds = fds, .nr_fds = 16), 0, "descriptors");
	is_int(SET(.fds = fds, .nr_fds = 17), EINVAL, "too many");
	is_int(SET(.fds = bad, .nr_fds = 2), EINVAL, "a negative one");
	memset(paths, 'x', sizeof(paths));
	paths[255] = '\0';
	is_int(SET(.paths = paths), 0, "a long pattern");
	paths[255] = 'x';
	paths[256] = '\0';
	is_int(SET(.paths = paths), EINVAL, "one that is too long");
	posix_trace_get_info_np(trid, &info);
	is_int((long)info.unselected, 0, "nothing was left out");
	stream_end(trid);
	is_int(SET(.failed = 1), EINVAL, "a stream that is gone");
	return done();
}
