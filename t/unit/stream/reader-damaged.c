/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_trygetnext_event never blocks, also if a span in the segment
 * claims to be of the future.
 */
#include "core/format/layout.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>
#include <trace.h>

/* Where this process has a stream's segment mapped. */
static unsigned char *find_segment(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	void *address = NULL;
	char line[512];

	while (maps && !address && fgets(line, sizeof(line), maps))
		/* The controller's lifeline is a page of that file, too. */
		if (strstr(line, "rw-s") && strstr(line, "/s."))
			sscanf(line, "%p", &address);
	if (maps)
		fclose(maps);
	return address;
}

/* Adds a day or so to all spans; returns how many there were. */
static int damage(unsigned char *segment)
{
	struct ptl_shm_head *head = (void *)segment;
	struct ptl_shm_chunk *table = (void *)(segment + head->table_off);
	int nr = 0;

	for (uint32_t i = 0; i < head->nr_chunks; i++) {
		unsigned char *chunk = segment + head->chunks_off +
				       i * head->chunk_size;
		struct ptl_shm_span *span = (void *)(chunk + PTL_RECORD_HEADER);

		if (!table[i].span)
			continue;
		span->counter += UINT64_C(1) << 48;
		nr++;
	}
	return nr;
}

int main(void)
{
	struct posix_trace_event_info info;
	unsigned char data[1024], *segment;
	trace_event_id_t id;
	int unavailable = 0;
	trace_id_t trid;
	size_t size;

	plan(3);
	posix_trace_eventid_open("an event", &id);
	if (posix_trace_create(0, NULL, &trid) != 0 ||
	    posix_trace_start(trid) != 0)
		return 1;
	posix_trace_event(id, "x", 1);
	segment = find_segment();
	ok(segment != NULL, "the segment is mapped");
	ok(segment && damage(segment) > 0, "there are spans in it");
	is_int(posix_trace_trygetnext_event(trid, &info, data, sizeof(data),
					    &size, &unavailable),
	       0, "it comes back");
	posix_trace_shutdown(trid);
	return done();
}
