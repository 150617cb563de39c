/* SPDX-License-Identifier: MIT */
/* posix_trace_set_call_limits_np takes times and no nonsense;
 * posix_trace_set_call_summary_np yes and no. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

int main(void)
{
	const struct timespec time = {1, 999999999}, none = {0, 0};
	const struct timespec odd = {0, 1000000000}, before = {-1, 0};
	trace_id_t trid;

	plan(11);
	trid = stream_make(0, NULL);
	is_int(posix_trace_set_call_limits_np(trid, &time, 3), 0, "both");
	is_int(posix_trace_set_call_limits_np(trid, NULL, 3), 0, "depth alone");
	is_int(posix_trace_set_call_limits_np(trid, &none, 0), 0, "none");
	is_int(posix_trace_set_call_limits_np(trid, &odd, 0), EINVAL,
	       "too many nanoseconds");
	is_int(posix_trace_set_call_limits_np(trid, &before, 0), EINVAL,
	       "a negative time");
	is_int(posix_trace_set_call_summary_np(trid, 1), 0, "summary");
	is_int(posix_trace_set_call_summary_np(trid, 0), 0, "no summary");
	is_int(posix_trace_set_call_summary_np(trid, 2), EINVAL, "neither");
	stream_end(trid);
	is_int(posix_trace_set_call_limits_np(trid, &time, 0), EINVAL,
	       "a stream that is gone");
	is_int(posix_trace_set_call_limits_np(trid, NULL, 0), EINVAL,
	       "and without a time");
	is_int(posix_trace_set_call_summary_np(trid, 1), EINVAL,
	       "summary in a stream that is gone");
	return done();
}
