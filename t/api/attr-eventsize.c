/* SPDX-License-Identifier: MIT */
/* Sizes of events hold their data and grow with it up to max-data-size. */
#include <trace.h>

#include "t/lib/tap.h"

#include <stdint.h>

static size_t user_size(const trace_attr_t *attr, size_t len)
{
	size_t size = 0;

	posix_trace_attr_getmaxusereventsize(attr, len, &size);
	return size;
}

int main(void)
{
	trace_attr_t attr;
	size_t last = 0, size;
	int small = 0, back = 0;

	plan(9);
	posix_trace_attr_init(&attr);
	for (size_t len = 0; len <= 4096; len++) {
		size = user_size(&attr, len);
		small += size < len + 16;
		back += size < last;
		last = size;
	}
	is_int(small, 0,
	       "[attr_getmaxusereventsize.1] "
	       "never less than the data and a header");
	is_int(back, 0, "more data, no smaller size");
	ok(last < 4096 + 256, "not absurd: %zu", last);
	ok(user_size(&attr, 4097) == last && user_size(&attr, SIZE_MAX) == last,
	   "what is above max-data-size is not recorded");
	posix_trace_attr_setmaxdatasize(&attr, 8);
	ok(user_size(&attr, 4096) == user_size(&attr, 8), 
	   "[attr_getmaxusereventsize.2] that can be set");
	posix_trace_attr_setmaxdatasize(&attr, SIZE_MAX);
	ok(user_size(&attr, SIZE_MAX) == SIZE_MAX, "to anything");

	is_int(posix_trace_attr_getmaxsystemeventsize(&attr, &size), 0,
	       "[attr_getmaxsystemeventsize.4] a system event");
	ok(size < 100000, "is never absurd: %zu", size);
	posix_trace_attr_setmaxdatasize(&attr, 0);
	posix_trace_attr_getmaxsystemeventsize(&attr, &size);
	ok(size >= 16 + 2 * sizeof(trace_event_set_t),
	   "[attr_getmaxsystemeventsize.1] and holds what POSIX_TRACE_FILTER "
	   "carries");
	return done();
}
