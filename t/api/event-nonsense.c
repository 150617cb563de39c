/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: of data longer than max-data-size only so many bytes are
 * read, however long they are; invalid ids do no harm.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	static const size_t sizes[] = {
		9,	   65535,	 65536,	       65537,	1ul << 31,
		1ul << 32, SIZE_MAX / 2, SIZE_MAX - 7, SIZE_MAX};
	trace_event_id_t id = event_id("an event"), bad;
	unsigned int n = 0, wrong = 0;
	struct event ev;
	trace_id_t trid;
	char *page;

	plan(4);
	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(page + 4096, 4096);
	memcpy(page + 4088, "01234567", 8);
	trid = stream_run(0, stream_attr(0, 8, 0));
	event_find(trid, POSIX_TRACE_START, &ev);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		posix_trace_event(id, page + 4088, sizes[i]);
	for (; event_find(trid, id, &ev); n++)
		wrong += ev.size != 8 || memcmp(ev.data, "01234567", 8) ||
			 ev.info.posix_truncation_status !=
				 POSIX_TRACE_TRUNCATED_RECORD;
	is_int(n, sizeof(sizes) / sizeof(sizes[0]), "[event.4] lengths");
	is_int(wrong, 0, "[event.4] cut to what may be read");
	for (unsigned int bits = 0; bits <= 0xff; bits += 0x7f) {
		memset(&bad, (int)bits, sizeof(bad));
		posix_trace_event(bad, "x", 1);
	}
	posix_trace_event(id + 1, "x", 1);
	event_put(id, 7);
	for (n = 0; event_next(trid, &ev); n++)
		wrong = ev.word != 7;
	ok(n >= 1 && !wrong, "what is none harms nobody: %u events", n);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	return done();
}
