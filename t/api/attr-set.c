/* SPDX-License-Identifier: MIT */
/* What is set is what one gets, exactly, and nothing else changes. */
#include <trace.h>

#include "t/lib/tap.h"

#include <stdint.h>

static const size_t sizes[] = { 0, 1, 12345, SIZE_MAX };

/* Sets the sizes by turns; another one must not change with them. */
static int set_sizes(trace_attr_t *attr)
{
	size_t a, b, c;
	int bad = 0;

	for (int i = 0; i < 4; i++) {
		bad += posix_trace_attr_setstreamsize(attr, sizes[i]);
		bad += posix_trace_attr_setlogsize(attr, sizes[(i + 1) % 4]);
		bad += posix_trace_attr_setmaxdatasize(attr,
						       sizes[(i + 2) % 4]);
		bad += posix_trace_attr_getstreamsize(attr, &a);
		bad += posix_trace_attr_getlogsize(attr, &b);
		bad += posix_trace_attr_getmaxdatasize(attr, &c);
		bad += a != sizes[i] || b != sizes[(i + 1) % 4] ||
		       c != sizes[(i + 2) % 4];
	}
	return bad;
}

int main(void)
{
	const int stream[] = { POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_FLUSH,
			       POSIX_TRACE_LOOP };
	const int log[] = { POSIX_TRACE_APPEND, POSIX_TRACE_UNTIL_FULL,
			    POSIX_TRACE_LOOP };
	const int inherit[] = { POSIX_TRACE_INHERITED,
				POSIX_TRACE_CLOSE_FOR_CHILD };
	trace_attr_t attr, copy;
	int bad = 0, got;

	plan(5);
	posix_trace_attr_init(&attr);
	is_int(set_sizes(&attr), 0,
	       "[attr_setstreamsize.1 attr_setstreamsize.2] "
	       "[attr_getstreamsize.1] "
	       ""
	       "[attr_setlogsize.1 attr_setlogsize.2 attr_getlogsize.1] "
	       "[attr_setmaxdatasize.1 attr_setmaxdatasize.4] "
	       "[attr_getmaxdatasize.1] sizes");
	for (int i = 0; i < 3; i++) {
		bad += posix_trace_attr_setstreamfullpolicy(&attr, stream[i]);
		bad += posix_trace_attr_setlogfullpolicy(&attr, log[i]);
		bad += posix_trace_attr_getstreamfullpolicy(&attr, &got);
		bad += got != stream[i];
		bad += posix_trace_attr_getlogfullpolicy(&attr, &got);
		bad += got != log[i];
	}
	is_int(bad, 0,
	       "[attr_setstreamfullpolicy.1] [attr_setstreamfullpolicy.2] "
	       "[attr_getstreamfullpolicy.1] [attr_setlogfullpolicy.1] "
	       "[attr_setlogfullpolicy.2] [attr_getlogfullpolicy.1] "
	       "[xsh_2_11_1_attr.6 xsh_2_11_1_attr.10] policies");
	bad = 0;
	for (int i = 0; i < 2; i++) {
		bad += posix_trace_attr_setinherited(&attr, inherit[i]);
		bad += posix_trace_attr_getinherited(&attr, &got);
		bad += got != inherit[i];
	}
	is_int(bad, 0,
	       "[attr_setinherited.1 attr_setinherited.2 attr_getinherited.1] "
	       "[xsh_2_11_1_attr.8] inheritance");
	copy = attr;
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_getinherited(&copy, &got);
	is_int(got, POSIX_TRACE_CLOSE_FOR_CHILD, "a copy is a copy");
	posix_trace_attr_destroy(&attr);
	is_int(posix_trace_attr_getinherited(&copy, &got), 0,
	       "and outlives the original");
	return done();
}
