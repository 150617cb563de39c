/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_setmaxdatasize: any max-data-size that memory can hold is
 * honoured: events around 64 KiB, of 1 MiB and of 8 MiB come back whole.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdlib.h>
#include <string.h>

#define MAX ((size_t)8 << 20)

static unsigned char *data, *got;

static void fill(size_t size, unsigned int seed)
{
	for (size_t i = 0; i < size; i++)
		data[i] = (unsigned char)(i * 31 + (i >> 12) + seed);
}

static int next(trace_id_t trid, trace_event_id_t id, size_t *len)
{
	struct posix_trace_event_info info = { .posix_event_id = 0 };
	int none = 0;

	while (!none && info.posix_event_id != id)
		if (posix_trace_trygetnext_event(trid, &info, got, MAX, len,
						 &none))
			return -1;
	return none ? -1 : info.posix_truncation_status;
}

static void check(trace_id_t trid, trace_event_id_t id, size_t size,
		  unsigned int seed, size_t max)
{
	size_t len = 0;
	int status = next(trid, id, &len);

	fill(size, seed);
	ok(status == (size > max ? POSIX_TRACE_TRUNCATED_RECORD :
				   POSIX_TRACE_NOT_TRUNCATED) &&
	   len == (size > max ? max : size) && !memcmp(data, got, len),
	   "[attr_setmaxdatasize.2 user_event.3 user_event.4] "
	   "%zu bytes of at most %zu", size, max);
}

static void try_max(size_t max, const size_t *size, unsigned int nr)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid = stream_make(0, stream_attr(2 * max, max,
						     POSIX_TRACE_UNTIL_FULL));

	stream_start(trid);
	for (unsigned int i = 0; i < nr; i++) {
		fill(size[i], i);
		posix_trace_event(id, data, size[i]);
	}
	for (unsigned int i = 0; i < nr; i++)
		check(trid, id, size[i], i, max);
	stream_end(trid);
}

int main(void)
{
	static const size_t small[] = { 65534, 65535, 65536, 65537, 70000 },
			    medium[] = { 1 << 20, 17, (1 << 20) + 1 },
			    large[] = { 8 << 20, 65536 };

	plan(10);
	data = malloc(MAX);
	got = malloc(MAX);
	try_max(69999, small, 5);
	try_max(1 << 20, medium, 3);
	try_max(MAX, large, 2);
	free(data);
	free(got);
	return done();
}
