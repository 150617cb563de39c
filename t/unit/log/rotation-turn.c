/* SPDX-License-Identifier: MIT */
/*
 * A ring whose last slots are too few for a packet leaves them void and comes
 * round: at every moment the log is a chain of packets, and has all but what
 * was said to be lost.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/rotation.h"
#include "t/lib/mklog.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define SIZE (64 * 1024)

static struct ptl_log_writer writer;
static struct ptl_rotation ring;
static int fd;

static void begin(void)
{
	struct ptl_log_head head = { .clock = PTL_CLOCK_MONOTONIC,
				     .anchor = { { 0, 1000 } } };

	fd = file_make();
	ptl_rotation_plan(&ring, sizeof(head), SIZE);
	head.ring_slot = ring.slot;
	head.ring_slots = ring.nr;
	if (ptl_log_create(&writer, fd, &head) ||
	    ptl_rotation_begin(&ring, &writer))
		exit(99);
}

/* A packet of one event with so many bytes of data. */
static int append(uint64_t counter, size_t size)
{
	static const unsigned char data[SIZE];
	struct mklog log = { 0 };
	int err;

	mklog_events(&log, 1, counter);
	mklog_record(&log, counter, 256, 0x401000, data, size);
	mklog_close(&log);
	/* Room for the header behind it. */
	size = log.size;
	mklog_open(&log, PTL_PACKET_VOID);
	err = ptl_rotation_append(&ring, &writer, log.bytes, size, 1);
	mklog_free(&log);
	return err;
}

/* The counters of all events are from `first' to `last', and nothing is bad. */
static bool has(uint64_t first, uint64_t last)
{
	struct ptl_log_reader *reader;
	uint64_t counters[2 * PTL_RING_SLOTS];
	uint64_t bad;
	long nr;

	if (ptl_log_reader_open(fd, &reader) != 0)
		return false;
	bad = ptl_log_reader_state(reader)->bad_size;
	nr = mklog_drain(reader, counters, PTL_ARRAY_SIZE(counters));
	if (bad || nr != (long)(last - first + 1)) {
		diag("%ld events, %llu bytes are bad", nr,
		     (unsigned long long)bad);
		return false;
	}
	for (long i = 0; i < nr; i++)
		if (counters[i] != first + (uint64_t)i)
			return false;
	return true;
}

int main(void)
{
	const size_t most = 5000;
	uint64_t lost = 4711;
	int err = 0;

	plan(11);
	begin();
	is_int(ring.nr, 8, "a ring of eight slots");
	for (uint64_t slot = 0; slot < 7; slot++) {
		if (slot > 0)
			err |= ptl_rotation_turn(&ring, &writer, most, &lost);
		err |= append(100 + slot, most);
	}
	is_int(err, 0, "seven of them are filled");
	ok(has(100, 106), "the log has all");

	file_limit(sizeof(struct ptl_log_head) + 7 * ring.slot);
	is_int(ptl_rotation_turn(&ring, &writer, 2 * ring.slot, &lost), EFBIG,
	       "the last one cannot be made void");
	is_int((long long)lost, 0, "nothing is lost by that");
	file_limit((unsigned long)-1);
	ok(has(100, 106), "the log has all");

	is_int(ptl_rotation_turn(&ring, &writer, 2 * ring.slot, &lost), 0,
	       "room for what goes over three slots");
	is_int((long long)lost, 3, "the first three events are lost for it");
	ok(has(103, 106), "the others are in the log");
	is_int(append(107, 2 * ring.slot), 0, "there it goes");
	ok(has(103, 107), "it is in the log, too");
	ptl_log_close(&writer);
	return done();
}
