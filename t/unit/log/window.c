/* SPDX-License-Identifier: MIT */
/*
 * A reader with a window gives the same events of that time, in the same order,
 * as one without; of other times only those that others need, and the first.
 * Logs and windows at random: packets overlap, calls began long before, some
 * packets do not say that they are plain, and bytes are damaged.
 */
#include <stdlib.h>
#include <string.h>

#include "core/format/logfile.h"
#include "core/format/sysevents.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

#define LOGS 60
#define WINDOWS 40
#define EVENTS_MAX 4000
#define SPAN 100000 /* ns that a log is of */

struct seen {
	uint64_t ns;
	uint32_t id, tid;
	int64_t number;
};

static struct seen all[EVENTS_MAX], some[EVENTS_MAX];
static unsigned int state = 1;

static unsigned int up_to(unsigned int n)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % (n + 1);
}

static void add_record(struct mklog *log, uint64_t counter, int64_t number)
{
	static const uint32_t ids[] = { PTL_EV_PROCESS_FORK, PTL_EV_DL_MAP,
					PTL_EV_SIGNAL_SEND, PTL_EV_STOP };

	switch (up_to(60)) {
	case 0:
		mklog_record(log, counter, ids[up_to(3)], 0, &number,
			     sizeof(number));
		break;
	case 1 ... 30:
		mklog_call(log, counter, counter - up_to(up_to(9) ? 50 : 9000),
			   PTL_EV_IO_READ, &number, sizeof(number));
		break;
	default:
		mklog_record(log, counter, up_to(1) ? 256 : 9000, 0, &number,
			     sizeof(number));
	}
}

/* Of its packets the last two in ten say nothing, as those of old logs. */
static void make_log(struct mklog *log)
{
	uint64_t time[4] = { 9000, 9000, 9000, 9000 };
	int64_t number = 0;

	mklog_begin(log);
	for (unsigned int n = 10 + up_to(60); n > 0; n--) {
		unsigned int thread = up_to(3);
		struct ptl_log_packet *packet;

		mklog_events(log, 1 + thread, time[thread]);
		for (unsigned int i = up_to(40); i > 0; i--) {
			add_record(log, time[thread], number++);
			time[thread] += up_to(up_to(20) ? 60 : 5000);
		}
		packet = (void *)(log->bytes + log->packet);
		packet->rank |= PTL_PACKET_NESTED;
		if (n <= 2)
			packet->rank &= ~PTL_PACKET_PLAIN;
		mklog_close(log);
	}
	if (up_to(1))
		mklog_end(log);
	for (unsigned int i = up_to(1) ? 0 : 5; i > 0; i--)
		log->bytes[sizeof(struct ptl_log_head) +
			   up_to((unsigned int)(log->size -
						sizeof(struct ptl_log_head) -
						1))] ^= 0x10;
}

static size_t read_all(struct ptl_log_reader *reader, struct seen *to)
{
	const struct ptl_event *event;
	size_t nr = 0;

	while (nr < EVENTS_MAX && (event = ptl_log_reader_next(reader))) {
		to[nr] = (struct seen){ event->ns, event->id, event->tid, -1 };
		if (event->data_size >= sizeof(to->number))
			memcpy(&to[nr].number, event->data,
			       sizeof(to->number));
		nr++;
	}
	return nr;
}

static int is_in(const struct seen *event, uint64_t since, uint64_t until)
{
	return (!since || event->ns >= since) && (!until || event->ns <= until);
}

static int is_same(const struct seen *a, const struct seen *b)
{
	return a->ns == b->ns && a->id == b->id && a->tid == b->tid &&
	       a->number == b->number;
}

/* How many of `some' would have been needless; -1: something is missing. */
static long compare(size_t nr, size_t nr_some, uint64_t since, uint64_t until)
{
	size_t at = 0, needless = 0;

	for (size_t i = 0; i < nr; i++) {
		if (at < nr_some && is_same(&some[at], &all[i])) {
			needless += i > 0 && !is_in(&all[i], since, until) &&
				    ptl_record_is_plain(all[i].id);
			at++;
		} else if (is_in(&all[i], since, until) || i == 0 ||
			   !ptl_record_is_plain(all[i].id)) {
			return -1;
		}
	}
	return at == nr_some ? (long)needless : -1;
}

static void try_windows(const struct mklog *log, int *wrong, size_t *needless,
			size_t *outside)
{
	struct ptl_log_reader *reader;
	size_t nr, nr_some;

	if (mklog_read(log->bytes, log->size, &reader) != 0)
		exit(99);
	nr = read_all(reader, all);
	for (int i = 0; i < WINDOWS; i++) {
		uint64_t since = up_to(9) ? 10000 + up_to(SPAN) : 0;
		uint64_t until = up_to(9) ? since + up_to(up_to(SPAN)) : 0;
		long more;

		ptl_log_reader_rewind(reader);
		ptl_log_reader_limit(reader, since, until);
		nr_some = read_all(reader, some);
		more = compare(nr, nr_some, since, until);
		*wrong += more < 0;
		*needless += more > 0 ? (size_t)more : 0;
		for (size_t j = 0; j < nr; j++)
			*outside += !is_in(&all[j], since, until);
		ptl_log_reader_limit(reader, 0, 0);
	}
	ptl_log_reader_close(reader);
}

int main(void)
{
	size_t needless = 0, outside = 0;
	int wrong = 0;

	plan(2);
	for (int i = 0; i < LOGS; i++) {
		struct mklog log;

		make_log(&log);
		try_windows(&log, &wrong, &needless, &outside);
		mklog_free(&log);
	}
	is_int(wrong, 0, "windows that are not as all of the log is");
	/* What is read of packets that are in the window in part. */
	ok(needless < outside / 4, "little is given that was not asked for: "
	   "%zu of %zu", needless, outside);
	return done();
}
