/* SPDX-License-Identifier: MIT */
/* Was what was measured recorded? */
#ifndef PTL_T_BENCH_VERIFY_H
#define PTL_T_BENCH_VERIFY_H

#include <trace.h>

#include <stdio.h>
#include <stdlib.h>

/*
 * Reads a stream that has no log, and fails unless all of so many events of the
 * type are there, or counted as lost, and some are there.
 */
static inline void verify_recorded(trace_id_t trid, trace_event_id_t id,
				   unsigned long made)
{
	static unsigned char data[65536];
	struct posix_trace_event_info event;
	struct posix_trace_info_np info;
	unsigned long there = 0;
	int unavailable = 0, err;
	size_t size;

	err = posix_trace_stop(trid);
	while (!err && !unavailable) {
		err = posix_trace_trygetnext_event(trid, &event, data,
						   sizeof(data), &size,
						   &unavailable);
		if (!err && !unavailable)
			there += event.posix_event_id == id;
	}
	if (!err)
		err = posix_trace_get_info_np(trid, &info);
	if (!err && there > 0 && there + info.lost >= made)
		return;
	fprintf(stderr, "%lu events recorded: %lu are there, %lu lost\n", made,
		there, err ? 0 : (unsigned long)info.lost);
	exit(1);
}

#endif
