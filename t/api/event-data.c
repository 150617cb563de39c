/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: data of each size up to max-data-size come back as they
 * were; longer ones are cut to it and POSIX_TRACE_TRUNCATED_RECORD.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

#define MAX 301

static unsigned char byte(size_t size, size_t i)
{
	return (unsigned char)(size * 7 + i * 3);
}

static int as_it_was(const struct event *ev, size_t size)
{
	size_t kept = size < MAX ? size : MAX;

	if (ev->size != kept)
		return 0;
	for (size_t i = 0; i < kept; i++)
		if (ev->data[i] != byte(size, i))
			return 0;
	return 1;
}

int main(void)
{
	unsigned char data[2 * MAX];
	int wrong = 0, wrong_status = 0;
	trace_event_id_t id;
	struct event ev;
	trace_id_t trid;
	size_t size;

	plan(4);
	id = event_id("an event");
	trid = stream_make(0, stream_attr(1 << 20, MAX, 0));
	stream_start(trid);
	for (size = 0; size <= sizeof(data); size++) {
		for (size_t i = 0; i < size; i++)
			data[i] = byte(size, i);
		posix_trace_event(id, data, size);
	}
	posix_trace_event(id, data, MAX);
	for (size = 0; size <= sizeof(data) && event_find(trid, id, &ev);
	     size++) {
		wrong += !as_it_was(&ev, size);
		wrong_status += ev.info.posix_truncation_status !=
				(size > MAX ? POSIX_TRACE_TRUNCATED_RECORD :
					      POSIX_TRACE_NOT_TRUNCATED);
	}
	is_int((long long)size, sizeof(data) + 1,
	       "[event.1] [user_event.1] all are there");
	is_int(wrong, 0,
	       "[user_event.1 user_event.3 attr_setmaxdatasize.2] "
	       "[event.3] [event.4] all sizes and bytes");
	is_int(wrong_status, 0,
	       "[user_event.3 user_event.4 attr_setmaxdatasize.3] "
	       "[event.3] [event.4] all truncation statuses");
	ok(event_find(trid, id, &ev) && ev.size == MAX, "the last");
	stream_end(trid);
	return done();
}
