/* SPDX-License-Identifier: MIT */
/* An invalid policy is EINVAL and leaves the old one. */
#include <trace.h>

#include "t/lib/tap.h"

#include <errno.h>
#include <limits.h>

static int nr_bad(int (*set)(trace_attr_t *, int),
		  int (*get)(const trace_attr_t *, int *), trace_attr_t *attr,
		  const int *legal)
{
	int want, got, bad = 0;

	get(attr, &want);
	for (int policy = -2; policy < 100; policy++) {
		if (policy == legal[0] || policy == legal[1] ||
		    policy == legal[2])
			continue;
		bad += set(attr, policy) != EINVAL;
	}
	bad += set(attr, INT_MAX) != EINVAL;
	bad += set(attr, INT_MIN) != EINVAL;
	get(attr, &got);
	return bad + (got != want);
}

int main(void)
{
	const int stream[] = { POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
			       POSIX_TRACE_FLUSH };
	const int log[] = { POSIX_TRACE_LOOP, POSIX_TRACE_UNTIL_FULL,
			    POSIX_TRACE_APPEND };
	const int inherit[] = { POSIX_TRACE_INHERITED,
				POSIX_TRACE_CLOSE_FOR_CHILD,
				POSIX_TRACE_CLOSE_FOR_CHILD };
	trace_attr_t attr;

	plan(3);
	posix_trace_attr_init(&attr);
	is_int(nr_bad(posix_trace_attr_setstreamfullpolicy,
		      posix_trace_attr_getstreamfullpolicy, &attr, stream),
	       0, "[attr_setstreamfullpolicy.3] stream policy");
	is_int(nr_bad(posix_trace_attr_setlogfullpolicy,
		      posix_trace_attr_getlogfullpolicy, &attr, log),
	       0, "[attr_setlogfullpolicy.3] log policy");
	is_int(nr_bad(posix_trace_attr_setinherited,
		      posix_trace_attr_getinherited, &attr, inherit),
	       0, "[attr_setinherited.3] inheritance");
	return done();
}
