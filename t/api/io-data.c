/* SPDX-License-Identifier: MIT */
/* posix_trace_set_io_data_np takes any size, of an active stream. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdint.h>

int main(void)
{
	trace_id_t trid;

	plan(4);
	trid = stream_make(0, NULL);
	is_int(posix_trace_set_io_data_np(trid, 16), 0, "some bytes");
	is_int(posix_trace_set_io_data_np(trid, SIZE_MAX), 0, "all of them");
	is_int(posix_trace_set_io_data_np(trid, 0), 0, "none");
	stream_end(trid);
	is_int(posix_trace_set_io_data_np(trid, 16), EINVAL,
	       "a stream that is gone");
	return done();
}
