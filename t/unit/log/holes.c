/* SPDX-License-Identifier: MIT */
/*
 * A log that is said to be far larger than what is in it is read as fast as
 * what is in it, with as little memory, wherever its holes are; they are told
 * as damage, where they are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "t/lib/mklog.h"
#include "t/lib/tap.h"

#define FAR (UINT64_C(1) << 40)
#define MOST_BYTES (16 << 20)

/* How much this process has read so far, of any file; -1: it is not told. */
static long long bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "r");
	long long n = -1;

	if (!io)
		return -1;
	if (fscanf(io, "rchar: %lld", &n) != 1)
		n = -1;
	fclose(io);
	return n;
}

static void events(struct mklog *log, uint64_t counter)
{
	mklog_events(log, 7, counter);
	mklog_record(log, counter, PTL_ID_FIRST_USER, 0, "data", 4);
	mklog_record(log, counter + 1, PTL_ID_FIRST_USER, 0, "data", 4);
	mklog_close(log);
}

/* The packet that was made last is said to end there. */
static void stretch(struct mklog *log, uint64_t end, uint32_t rank)
{
	struct ptl_log_packet *packet = (void *)(log->bytes + log->packet);

	packet->size = end - log->packet;
	packet->rank |= rank;
	packet->nr_events = UINT32_MAX;
	packet->last = 1000;
	mklog_check_packet(log, log->packet);
}

/* Reads a file of `size' bytes: these, with those from `cut' on at its end. */
static void test(const struct mklog *log, size_t cut, uint64_t size,
		 long nr_events, const char *what)
{
	int fd = mklog_file(log->bytes, cut);
	const struct ptl_log_reader_state *state;
	struct ptl_log_reader *reader;
	long long before, after;
	struct rusage usage;
	size_t rest = log->size - cut;
	long nr = 0;

	if (ftruncate(fd, (off_t)size) ||
	    (rest && pwrite(fd, log->bytes + cut, rest, (off_t)(size - rest)) !=
			     (ssize_t)rest)) {
		skip(5, "%s: %s", what, strerror(errno));
		close(fd);
		return;
	}
	lseek(fd, 5, SEEK_SET);
	before = bytes_read();
	if (ptl_log_reader_open(fd, &reader) != 0)
		exit(99);
	state = ptl_log_reader_state(reader);
	while (ptl_log_reader_next(reader))
		nr++;
	is_int(nr, nr_events, "%s: events", what);
	after = bytes_read();
	getrusage(RUSAGE_SELF, &usage);
	ok(after - before < MOST_BYTES && usage.ru_maxrss < 256 * 1024,
	   "%s: %lld bytes are read, %ld KiB are used", what, after - before,
	   usage.ru_maxrss);
	/* The file system has pages: what is zero on those that there are may
	 * count, or not. */
	ok(state->bad_size > FAR / 4 && state->bad_size < FAR &&
		   state->bad_offset < MOST_BYTES,
	   "%s: %llu bytes are damaged, from %llu on", what,
	   (unsigned long long)state->bad_size,
	   (unsigned long long)state->bad_offset);
	is_int((long)state->events, nr, "%s: so many are counted", what);
	is_int(lseek(fd, 0, SEEK_CUR), 5, "%s: the offset is left alone", what);
	ptl_log_reader_close(reader);
	close(fd);
}

static void between(void)
{
	struct mklog log;
	size_t cut;

	mklog_begin(&log);
	events(&log, 10);
	mklog_end(&log);
	test(&log, log.size, FAR, 2, "behind the end");
	mklog_free(&log);
	mklog_begin(&log);
	events(&log, 10);
	cut = log.size;
	events(&log, 20);
	test(&log, cut, FAR, 4, "between packets");
	mklog_free(&log);
}

/* In a packet of events, and behind it another. */
static void inside(uint32_t rank, long nr_events, const char *what)
{
	struct mklog log;
	size_t cut;

	mklog_begin(&log);
	events(&log, 10);
	cut = log.size;
	stretch(&log, FAR - 200, rank);
	events(&log, 20);
	test(&log, cut, FAR - 200 + log.size - cut, nr_events, what);
	mklog_free(&log);
}

static void anchors(void)
{
	struct ptl_shm_anchor anchor = {2000000, 2001000};
	struct mklog log;

	mklog_begin(&log);
	events(&log, 10);
	mklog_open(&log, PTL_PACKET_CLOCK);
	mklog_put(&log, &anchor, sizeof(anchor));
	stretch(&log, FAR, 0);
	test(&log, log.size, FAR, 2, "in one of the clock");
	mklog_free(&log);
}

/* An event whose data are the rest of the file, it says. */
static void record(void)
{
	struct mklog log;
	uint64_t *word;

	mklog_begin(&log);
	events(&log, 10);
	mklog_events(&log, 8, 30);
	mklog_record(&log, 30, PTL_ID_FIRST_USER, 0, "0123456789abcdef", 16);
	stretch(&log, FAR, 0);
	word = (void *)(log.bytes + log.packet + sizeof(struct ptl_log_packet));
	word[0] |= PTL_RECORD_EXTENDED;
	word[2] = FAR / 2;
	test(&log, log.size, FAR, 2, "in a record");
	mklog_free(&log);
}

int main(void)
{
	if (bytes_read() < 0)
		skip_all("/proc does not say what was read");
	plan(30);
	between();
	inside(0, 4, "in a packet");
	inside(PTL_PACKET_NESTED, 2, "in one to be put in order");
	anchors();
	record();
	return done();
}
