/* SPDX-License-Identifier: MIT */
/* posix_trace_shutdown: blocked posix_trace_getnext_event() calls say EINVAL. */
#include "t/lib/reader.h"
#include "t/lib/tap.h"

#include <errno.h>

#define NR_THREADS 4

int main(void)
{
	struct reader r[NR_THREADS];
	trace_id_t trid;

	plan(NR_THREADS + 1);
	trid = stream_make(0, NULL);
	for (int i = 0; i < NR_THREADS; i++)
		reader_begin(&r[i], trid, 0);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	for (int i = 0; i < NR_THREADS; i++)
		is_int(reader_end(&r[i]), EINVAL,
		       "[shutdown.5] [getnext_event.24] reader %d", i);
	return done();
}
