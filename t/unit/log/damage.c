/* SPDX-License-Identifier: MIT */
/* Of a log cut or damaged anywhere, all that is whole is read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/log/writer.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

#define MAX_EVENTS 32

/* Where the records of the small log end, and in which packet they are. */
struct sample {
	struct mklog log;
	size_t nr;
	size_t end[MAX_EVENTS];
	uint64_t counter[MAX_EVENTS];
	size_t packet[MAX_EVENTS];
};

static void add(struct sample *s, uint64_t counter, size_t size)
{
	static const char data[] = "some bytes of data that mean nothing";

	mklog_record(&s->log, counter, 256, 0x401000 + counter, data, size);
	s->end[s->nr] = s->log.size;
	s->counter[s->nr] = counter;
	s->packet[s->nr++] = s->log.packet;
}

static void make_sample(struct sample *s)
{
	const struct ptl_shm_anchor anchor = { 2000000, 2001000 };

	s->nr = 0;
	mklog_begin(&s->log);
	mklog_events(&s->log, 1, 10000);
	add(s, 10000, 0);
	add(s, 12000, 5);
	add(s, 14000, 8);
	mklog_close(&s->log);
	mklog_type(&s->log, 256, "app:event", "n:i");
	mklog_events(&s->log, 2, 11000);
	add(s, 11000, 30);
	add(s, 16000, 1);
	mklog_close(&s->log);
	mklog_open(&s->log, PTL_PACKET_CLOCK);
	mklog_put(&s->log, &anchor, sizeof(anchor));
	mklog_close(&s->log);
	mklog_events(&s->log, 1, 20000);
	add(s, 20000, 0);
	add(s, 21000, 33);
	mklog_close(&s->log);
	mklog_end(&s->log);
}

/* Are all events there that are whole within `size' bytes, none twice? */
static bool has_whole(const struct sample *s, size_t size,
		      const uint64_t *counters, long nr)
{
	long want = 0;

	for (size_t i = 0; i < s->nr; i++) {
		long seen = 0;

		if (s->end[i] > size)
			continue;
		want++;
		for (long j = 0; j < nr; j++)
			seen += counters[j] == s->counter[i];
		if (seen != 1)
			return false;
	}
	return nr == want;
}

static void cut(const struct sample *s)
{
	struct ptl_log_reader *reader;
	uint64_t counters[MAX_EVENTS];
	long nr_refused = 0, wrong = 0, uncounted = 0, bad = 0, complete = 0;

	for (size_t size = 0; size <= s->log.size; size++) {
		uint64_t events;
		long nr;

		if (mklog_read(s->log.bytes, size, &reader) == EINVAL) {
			nr_refused++;
			continue;
		}
		events = ptl_log_reader_state(reader)->events;
		bad += ptl_log_reader_state(reader)->bad_size != 0;
		complete += ptl_log_reader_state(reader)->complete;
		nr = mklog_drain(reader, counters, MAX_EVENTS);
		uncounted += nr != (long)events;
		if (!has_whole(s, size, counters, nr)) {
			diag("cut at %zu: %ld events", size, nr);
			wrong++;
		}
	}
	is_int(nr_refused, sizeof(struct ptl_log_head),
	       "cut in the head it is no log");
	is_int(wrong, 0, "cut anywhere, it has the whole records");
	is_int(uncounted, 0, "the state counts them");
	is_int(bad, 0, "what is cut is not bad");
	is_int(complete, 1, "only the whole is complete");
}

/* All events but those in the packet of `at' are there, in order. */
static bool has_others(const struct sample *s, size_t at,
		       const uint64_t *counters, long nr)
{
	size_t hit = 0;

	for (size_t i = 0; i < s->nr; i++)
		if (s->packet[i] <= at)
			hit = s->packet[i];
	for (size_t i = 0; i < s->nr; i++) {
		long seen = 0;

		if (s->packet[i] == hit)
			continue;
		for (long j = 0; j < nr; j++)
			seen += counters[j] == s->counter[i];
		if (seen != 1)
			return false;
	}
	return true;
}

static void flipped(struct sample *s)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff, 0x20 };
	uint64_t counters[4 * MAX_EVENTS];
	struct ptl_log_reader *reader;
	long nr_refused = 0, wrong = 0;

	for (size_t i = 0; i < s->log.size * sizeof(flips); i++) {
		size_t at = i / sizeof(flips);
		long nr = 0;

		s->log.bytes[at] ^= flips[i % sizeof(flips)];
		if (mklog_read(s->log.bytes, s->log.size, &reader))
			nr_refused++;
		else
			nr = mklog_drain(reader, counters, 4 * MAX_EVENTS);
		s->log.bytes[at] ^= flips[i % sizeof(flips)];
		if (nr == 0 && at < sizeof(struct ptl_log_head))
			continue;
		if (nr <= 0 || !has_others(s, at, counters, nr)) {
			diag("byte %zu flipped: %ld events", at, nr);
			wrong++;
		}
	}
	/* All but the four bytes behind the check, and what is of the host. */
	is_int(nr_refused,
	       (long long)(sizeof(flips) * (PTL_LOG_HEAD_LEAST - 4)),
	       "a damaged head is refused");
	is_int(wrong, 0, "a damaged byte harms its own packet only");
}

/* Bytes overwritten in the middle, or noise behind a good head. */
static void noise(struct sample *s)
{
	const size_t head = sizeof(struct ptl_log_head);
	uint64_t counters[4 * MAX_EVENTS];
	unsigned char *bytes = malloc(s->log.size);
	struct ptl_log_reader *reader;
	long opened = 0, back = 0;

	for (int round = 0; round < 3000; round++) {
		size_t from = head + (size_t)rand() % (s->log.size - head);
		size_t size = (size_t)rand() % (s->log.size - from);

		memcpy(bytes, s->log.bytes, s->log.size);
		if (round % 3 == 0) {
			from = head;
			size = s->log.size - head;
		}
		for (size_t i = 0; i < size; i++)
			bytes[from + i] = (unsigned char)rand();
		if (mklog_read(bytes, s->log.size, &reader))
			continue;
		opened++;
		back += mklog_drain(reader, counters, 4 * MAX_EVENTS) < 0;
	}
	is_int(opened, 3000, "noise behind the head does not matter");
	is_int(back, 0, "time never goes back");
	free(bytes);
}

static void told(struct sample *s)
{
	size_t at = s->packet[3], size = s->end[4] - at;
	const struct ptl_log_reader_state *state;
	struct ptl_log_reader *reader;
	uint32_t *word =
		(void *)(s->log.bytes + at + sizeof(struct ptl_log_packet));
	uint32_t saved = *word;

	s->log.bytes[at + 9] ^= 1;
	mklog_read(s->log.bytes, s->log.size, &reader);
	s->log.bytes[at + 9] ^= 1;
	state = ptl_log_reader_state(reader);
	ok(state->bad_offset == at && state->bad_size == size,
	   "a damaged header: its packet is bad");
	ptl_log_reader_close(reader);

	*word |= 0xffff;
	mklog_read(s->log.bytes, s->log.size, &reader);
	state = ptl_log_reader_state(reader);
	is_int((long long)state->bad_size, 0, "a damaged record: not yet seen");
	for (int i = 0; i < 2; i++) {
		while (ptl_log_reader_next(reader))
			;
		ptl_log_reader_rewind(reader);
	}
	*word = saved;
	ok(state->bad_offset == at + sizeof(struct ptl_log_packet) &&
		   state->bad_size == size - sizeof(struct ptl_log_packet),
	   "once read, its packet's rest is bad");
	ptl_log_reader_close(reader);
}

/* Somebody cuts the file while it is read. */
static void shrinking(const struct sample *s)
{
	long wrong = 0;

	for (size_t size = 0; size <= s->log.size; size += 8) {
		int fd = mklog_file(s->log.bytes, s->log.size);
		struct ptl_log_reader *reader;
		long nr;

		wrong += ptl_log_reader_open(fd, &reader) != 0;
		wrong += !ptl_log_reader_next(reader);
		if (ftruncate(fd, (off_t)size) != 0)
			exit(99);
		nr = mklog_drain(reader, NULL, 0);
		wrong += nr < 0 || nr >= (long)s->nr;
		close(fd);
	}
	is_int(wrong, 0, "a file that shrinks is read as far as it goes");
}

/* Or writes something else over the last packet of events. */
static void rewritten(const struct sample *s)
{
	const size_t at = s->packet[s->nr - 1];
	struct ptl_log_packet packet;
	struct ptl_log_reader *reader;
	const struct ptl_log_reader_state *state;
	uint64_t counters[MAX_EVENTS];
	int fd = mklog_file(s->log.bytes, s->log.size);
	long nr = 0;

	if (ptl_log_reader_open(fd, &reader) != 0)
		exit(99);
	memcpy(&packet, s->log.bytes + at, sizeof(packet));
	packet.first++;
	packet.check = ptl_log_check(&packet,
				     offsetof(struct ptl_log_packet, check));
	if (pwrite(fd, &packet, sizeof(packet), (off_t)at) != sizeof(packet))
		exit(99);
	while (ptl_log_reader_next(reader))
		nr++;
	ptl_log_reader_rewind(reader);
	while (ptl_log_reader_next(reader))
		nr++;
	is_int(nr, 2 * ((long)s->nr - 2), "another packet's events are not given");
	state = ptl_log_reader_state(reader);
	ok(state->bad_offset == at && state->bad_size == packet.size,
	   "they are bad, and counted once");
	ptl_log_reader_rewind(reader);
	nr = mklog_drain(reader, counters, MAX_EVENTS);
	ok(has_others(s, at, counters, nr), "all others are given");
	close(fd);
}

int main(void)
{
	struct sample s;

	plan(16);
	make_sample(&s);
	cut(&s);
	flipped(&s);
	noise(&s);
	told(&s);
	shrinking(&s);
	rewritten(&s);
	mklog_free(&s.log);
	return done();
}
