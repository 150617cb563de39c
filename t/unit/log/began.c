/* SPDX-License-Identifier: MIT */
/*
 * Calls come in the order in which they began, also one that a handler
 * interrupted, one that outlasted whole packets, and one that lies.
 */
#include <stdlib.h>
#include <string.h>

#include "core/format/logfile.h"
#include "core/format/sysevents.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

/* Data by which a test knows an event again. */
#define CALL(log, counter, since, n) \
	mklog_call(log, counter, since, PTL_EV_IO_READ, &(int64_t){n}, 8)

static struct ptl_log_reader *reader;

static void open_log(struct mklog *log)
{
	mklog_close(log);
	mklog_end(log);
	if (mklog_read(log->bytes, log->size, &reader) != 0)
		exit(99);
}

/* The next event is number n, began then and took so long. */
static void next(int64_t n, uint64_t ns, long long duration, const char *what)
{
	const struct ptl_event *event = ptl_log_reader_next(reader);
	int64_t got = -1;

	if (event && event->data_size == sizeof(got))
		memcpy(&got, event->data, sizeof(got));
	ok(event && got == n && event->ns == ns + 1000 &&
		   event->duration == duration,
	   "%s: %lld at %llu for %lld", what, (long long)got,
	   event ? (unsigned long long)event->ns : 0,
	   event ? (long long)event->duration : 0);
}

static void end(struct mklog *log, const char *what)
{
	ok(!ptl_log_reader_next(reader) &&
		   ptl_log_reader_state(reader)->bad_size == 0,
	   "%s: no more", what);
	ptl_log_reader_close(reader);
	mklog_free(log);
}

static void one_after_the_other(void)
{
	struct mklog log;

	mklog_begin(&log);
	mklog_events(&log, 1, 5);
	mklog_record(&log, 5, 256, 0, &(int64_t){0}, 8);
	CALL(&log, 20, 10, 1);
	CALL(&log, 30, 0, 2);
	CALL(&log, 50, 40, 3);
	open_log(&log);
	next(0, 5, -1, "plain: no call");
	next(1, 10, 10, "plain: a call");
	next(2, 30, -1, "plain: not timed");
	next(3, 40, 10, "plain: another");
	end(&log, "plain");
}

/* 1 is the call, 2 and 3 what the handler did meanwhile; and a stack. */
static void interrupted(void)
{
	const uint64_t stack[] = {1, 2};
	const struct ptl_event *event;
	struct mklog log;

	mklog_begin(&log);
	mklog_events(&log, 1, 5);
	mklog_record(&log, 5, 256, 0, &(int64_t){0}, 8);
	mklog_record(&log, 20, PTL_ID_STACK, 0, stack, sizeof(stack));
	CALL(&log, 20, 15, 2);
	mklog_record(&log, 30, 256, 0, &(int64_t){3}, 8);
	CALL(&log, 60, 10, 1);
	mklog_record(&log, 70, 256, 0, &(int64_t){4}, 8);
	/* The first record is earlier than all calls, so say it. */
	((struct ptl_log_packet *)(void *)(log.bytes + log.packet))->rank =
		PTL_PACKET_NESTED;
	open_log(&log);
	next(0, 5, -1, "interrupted: before");
	next(1, 10, 50, "interrupted: the call");
	event = ptl_log_reader_next(reader);
	ok(event && event->ns == 1015 && event->nr_stack == 2 &&
		   event->stack[1] == 2,
	   "interrupted: in the handler, with its stack");
	next(3, 30, -1, "interrupted: in the handler");
	next(4, 70, -1, "interrupted: after");
	end(&log, "interrupted");
}

/* The call is in the last packet, and began before all. */
static void outlasting(void)
{
	struct mklog log;

	mklog_begin(&log);
	for (uint32_t n = 0; n < 3; n++) {
		mklog_events(&log, 1, 100 * n + 50);
		mklog_record(&log, 100 * n + 50, 256, 0, &(int64_t){n}, 8);
		mklog_close(&log);
	}
	mklog_events(&log, 1, 400);
	mklog_record(&log, 400, 256, 0, &(int64_t){3}, 8);
	CALL(&log, 500, 20, 4);
	open_log(&log);
	next(4, 20, 480, "outlasting: the call");
	next(0, 50, -1, "outlasting: the first packet");
	next(1, 150, -1, "outlasting: the second");
	next(2, 250, -1, "outlasting: the third");
	next(3, 400, -1, "outlasting: its own");
	end(&log, "outlasting");
}

/* It begins after it is recorded; its data are cut; before there was a log. */
static void nonsense(void)
{
	const struct ptl_event *event;
	struct mklog log;
	struct ptl_log_head *head;

	mklog_begin(&log);
	head = (void *)log.bytes;
	head->anchor[0] = (struct ptl_shm_anchor){100, 1100};
	mklog_check_head(&log);
	mklog_events(&log, 1, 110);
	CALL(&log, 110, 111, 1);
	CALL(&log, 120, 99, 2);
	CALL(&log, 130, UINT64_MAX, 3);
	mklog_record(&log, 140, PTL_EV_IO_READ, 0, "abcd", 4);
	open_log(&log);
	next(1, 110, -1, "nonsense: in the future");
	next(2, 120, -1, "nonsense: before all");
	next(3, 130, -1, "nonsense: far in the future");
	event = ptl_log_reader_next(reader);
	ok(event && event->data_size == 4 && event->duration == -1,
	   "nonsense: too little data are left as they are");
	end(&log, "nonsense");
}

/* A log of an older version does not say when calls began. */
static void old(void)
{
	struct mklog log;

	mklog_begin(&log);
	((struct ptl_log_head *)(void *)log.bytes)->minor = 4;
	mklog_check_head(&log);
	mklog_events(&log, 1, 10);
	mklog_record(&log, 10, PTL_EV_SYNC_LOCK, 0, &(int64_t){7}, 8);
	open_log(&log);
	next(7, 10, -1, "old: all is data");
	end(&log, "old");
}

int main(void)
{
	plan(24);
	one_after_the_other();
	interrupted();
	outlasting();
	nonsense();
	old();
	return done();
}
