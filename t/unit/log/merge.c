/* SPDX-License-Identifier: MIT */
/* Events of all threads come in the order of time, of one thread in its own. */
#include <stdlib.h>
#include <string.h>

#include "t/lib/mklog.h"
#include "t/lib/tap.h"

#define THREADS 7
#define EVENTS 20000

static uint64_t counters[EVENTS];

/* Events 0, 1, 2...: each by some thread, in packets of any size. */
static void scatter(struct mklog *log, uint32_t *thread_of)
{
	uint32_t next[THREADS] = { 0 };
	int left = THREADS;

	mklog_begin(log);
	while (left > 0) {
		uint32_t tid = (uint32_t)rand() % THREADS;
		int size = rand() % 100;

		while (next[tid] < EVENTS && thread_of[next[tid]] != tid)
			next[tid]++;
		if (next[tid] == EVENTS)
			continue;
		mklog_events(log, tid, next[tid]);
		for (; next[tid] < EVENTS && size >= 0; next[tid]++) {
			if (thread_of[next[tid]] != tid)
				continue;
			mklog_record(log, next[tid], 256, 0, &tid, sizeof(tid));
			size--;
		}
		mklog_close(log);
		if (next[tid] == EVENTS)
			left--;
	}
}

/* A thread without an event in the rest never finishes above: give each its
 * last one. */
static void assign(uint32_t *thread_of)
{
	for (uint32_t i = 0; i < EVENTS; i++)
		thread_of[i] = i < EVENTS - THREADS ?
				       (uint32_t)rand() % THREADS :
				       i - (EVENTS - THREADS);
}

static void threads(void)
{
	static uint32_t thread_of[EVENTS];
	struct ptl_log_reader *reader;
	const struct ptl_event *ev;
	struct mklog log;
	uint32_t nr = 0, wrong = 0;

	assign(thread_of);
	scatter(&log, thread_of);
	is_int(mklog_read(log.bytes, log.size, &reader), 0, "packets overlap");
	while ((ev = ptl_log_reader_next(reader))) {
		wrong += ev->counter != nr || ev->tid != thread_of[nr] ||
			 memcmp(ev->data, &ev->tid, sizeof(ev->tid)) != 0;
		nr++;
	}
	is_int(nr, EVENTS, "all events");
	is_int(wrong, 0, "in order, each its own thread's");
	ptl_log_reader_rewind(reader);
	is_int(mklog_drain(reader, counters, EVENTS), EVENTS, "and again");
	mklog_free(&log);
}

static void ties(void)
{
	struct ptl_log_reader *reader;
	const struct ptl_event *ev;
	struct mklog log;
	uint64_t want = 0;

	mklog_begin(&log);
	for (uint32_t packet = 0; packet < 50; packet++) {
		mklog_events(&log, 1, 100);
		for (uint32_t i = 0; i < 3; i++)
			mklog_record(&log, 100, 256, packet * 3 + i, NULL, 0);
		mklog_close(&log);
	}
	mklog_read(log.bytes, log.size, &reader);
	while ((ev = ptl_log_reader_next(reader)) && ev->addr == want)
		want++;
	is_int((long long)want, 150, "equal times: in the order of the file");
	ptl_log_reader_close(reader);
	mklog_free(&log);
}

/* A handler's record may be a little older than the one before it. */
static void inversion(void)
{
	static const uint64_t want[] = { 10, 13, 12, 14, 15, 20 };
	struct ptl_log_reader *reader;
	struct mklog log;

	mklog_begin(&log);
	mklog_events(&log, 1, 10);
	mklog_record(&log, 10, 256, 0, NULL, 0);
	mklog_record(&log, 13, 256, 0, NULL, 0);
	mklog_record(&log, 12, 256, 0, NULL, 0);
	mklog_record(&log, 15, 256, 0, NULL, 0);
	mklog_close(&log);
	mklog_events(&log, 2, 14);
	mklog_record(&log, 14, 256, 0, NULL, 0);
	mklog_record(&log, 20, 256, 0, NULL, 0);
	mklog_close(&log);
	mklog_read(log.bytes, log.size, &reader);
	is_int(mklog_drain(reader, counters, EVENTS), 6,
	       "a small inversion: time does not go back");
	ok(memcmp(counters, want, sizeof(want)) == 0,
	   "position is what counts in a thread");
	mklog_free(&log);
}

/* Holes, what was read before, and what was never committed. */
static void holes(void)
{
	static const char zeros[64];
	const uint64_t pad[] = {
		ptl_record_word0(0, PTL_ID_PAD, PTL_RECORD_COMMITTED, 0), 0};
	const uint64_t pending[] = { ptl_record_word0(0, PTL_ID_PENDING, 0, 40),
				    0,
				    ~UINT64_C(0),
				    5,
				    6,
				    7,
				    8};
	struct ptl_log_reader *reader;
	struct mklog log;

	mklog_begin(&log);
	mklog_events(&log, 1, 10);
	mklog_put(&log, zeros, 8);
	mklog_record(&log, 10, 256, 0, NULL, 0);
	mklog_put(&log, pad, sizeof(pad));
	mklog_put(&log, pending, sizeof(pending));
	mklog_record(&log, 12, PTL_ID_DONE, 0, "seen", 4);
	mklog_record(&log, 13, 257, 0, NULL, 0);
	mklog_put(&log, zeros, sizeof(zeros));
	mklog_close(&log);
	mklog_read(log.bytes, log.size, &reader);
	is_int((long long)ptl_log_reader_state(reader)->bad_size, 0,
	       "holes are not damage");
	is_int(mklog_drain(reader, counters, EVENTS), 2,
	       "holes are stepped over");
	ok(counters[0] == 10 && counters[1] == 13, "events around them");
	mklog_free(&log);
}

/* Counters of which records tell 48 bits only. */
static void wrapping(void)
{
	const uint64_t at = UINT64_C(0x1234ffffffffffff);
	struct ptl_log_reader *reader;
	struct mklog log;

	mklog_begin(&log);
	mklog_events(&log, 1, at);
	mklog_record(&log, at - 1, 256, 0, NULL, 0);
	mklog_record(&log, at, 256, 0, NULL, 0);
	mklog_record(&log, at + 1, 256, 0, NULL, 0);
	mklog_close(&log);
	mklog_read(log.bytes, log.size, &reader);
	is_int(mklog_drain(reader, counters, EVENTS), 3, "bit 48 changes");
	ok(counters[0] == at - 1 && counters[1] == at && counters[2] == at + 1,
	   "counters are whole");
	mklog_free(&log);
}

/* More packets at once than have large buffers, with records larger than the
 * small ones. */
static void crowd(void)
{
	static const char data[6000];
	struct ptl_log_reader *reader;
	const struct ptl_event *ev;
	struct mklog log;
	size_t nr = 0, wrong = 0;

	mklog_begin(&log);
	for (uint32_t tid = 0; tid < 1100; tid++) {
		mklog_events(&log, tid, tid);
		mklog_record(&log, tid, 256, 0, data, 0);
		mklog_record(&log, 2000 + tid, 256, 0, data, sizeof(data));
		mklog_record(&log, 4000 + tid, 256, 0, data, 1);
		mklog_close(&log);
	}
	mklog_read(log.bytes, log.size, &reader);
	while ((ev = ptl_log_reader_next(reader))) {
		wrong += ev->tid != nr % 1100 ||
			 ev->counter != nr / 1100 * 2000 + nr % 1100 ||
			 memcmp(ev->data, data, ev->data_size) != 0;
		nr++;
	}
	is_int((long long)nr, 3300, "many packets at once");
	is_int((long long)wrong, 0, "in order");
	ptl_log_reader_close(reader);
	mklog_free(&log);
}

int main(void)
{
	plan(14);
	threads();
	ties();
	inversion();
	holes();
	wrapping();
	crowd();
	return done();
}
