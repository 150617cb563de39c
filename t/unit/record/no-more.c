/* SPDX-License-Identifier: MIT */
/*
 * A record of whatever size is stored with its data, and nothing behind it: a
 * word that is not zero there would be read as one more record.
 */
#include "core/core.h"
#include "core/record/slots.h"

#include "t/lib/clock.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

#define MAX 200

static unsigned char data[MAX];

/* Where the thread's next record will be. */
static const unsigned char *next(void)
{
	struct ptl_slot_stream *own = ptl_thread.last;

	return own->base + 8 * (uint32_t)own->word;
}

static void put_event(size_t size)
{
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, data, size);
}

static void put_call(size_t size)
{
	ptl_core_call_typed(PTL_EV_CALL_ENTER_TYPED, data, size, data);
}

/* How many sizes were stored as they should be. */
static unsigned int right(void (*put)(size_t size))
{
	static const unsigned char none[64];
	unsigned int nr = 0;

	for (size_t size = 0; size <= MAX; size++) {
		const unsigned char *record, *end;

		record = next();
		put(size);
		end = next();
		nr += memcmp(record + 16, data, size) == 0 &&
		      (size_t)(end - record) == (16 + size + 7) / 8 * 8 &&
		      memcmp(end, none, sizeof(none)) == 0;
	}
	return nr;
}

int main(void)
{
	trace_event_set_t none;
	trace_id_t trid;

	plan(3);
	posix_trace_eventset_empty(&none);
	for (size_t i = 0; i < MAX; i++)
		data[i] = (unsigned char)(0xa0 + i % 89);
	trid = stream_run(0, stream_attr(1 << 24, MAX, 0));
	posix_trace_set_filter(trid, &none, POSIX_TRACE_SET_EVENTSET);
	put_event(8);
	ok((ptl_thread.last->bit != 0) == clock_is_counter(),
	   "by the fast path, where the kernel trusts the counter");
	is_int(right(put_event), MAX + 1, "events of all sizes");
	is_int(right(put_call), MAX + 1, "calls of libraries");
	stream_end(trid);
	return done();
}
