/* SPDX-License-Identifier: MIT */
/* What was written to a log is read from it: head, types, events, end. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/logfile.h"
#include "core/format/record.h"
#include "core/format/sysevents.h"
#include "core/log/packet.h"
#include "core/log/reader.h"
#include "core/log/writer.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

#define BIG 200000

static unsigned char big[BIG];

/* The packets of a small trace: one thread, one event of each kind. */
static void make_packets(struct mklog *log)
{
	*log = (struct mklog){ 0 };
	mklog_type(log, 256, "app:event", "n:i s:s");
	mklog_events(log, 42, 5000);
	mklog_record(log, 5000, PTL_EV_START, 0, NULL, 0);
	mklog_record(log, 5001, 256, 0x401000, "abc", 4);
	mklog_record(log, 5002, 256, UINT64_C(0xffffffff81000000), "x", 1);
	mklog_record(log, 5003, 256, 0x401000, big, BIG);
	mklog_record(log, 5004, PTL_EV_STOP, 0, "\0\0\0", 4);
	mklog_close(log);
	mklog_end(log);
}

static void write_log(int fd)
{
	struct ptl_log_head head = {
		.stream = 77,
		.clock = PTL_CLOCK_MONOTONIC,
		.attr = { .max_data = 99, .name = "my stream" },
		.anchor = { { 0, 1000 } },
	};
	struct ptl_log_writer writer;
	struct mklog log;

	is_int(ptl_log_create(&writer, fd, &head), 0, "the log is created");
	ok(writer.fd > fd && fcntl(writer.fd, F_GETFD) == FD_CLOEXEC,
	   "its descriptor is high and closed on exec");
	make_packets(&log);
	is_int(ptl_log_append(&writer, log.bytes, log.size), 0,
	       "packets are appended");
	is_int((long long)writer.end, (long long)(sizeof(head) + log.size),
	       "the writer knows the end");
	ptl_log_close(&writer);
	mklog_free(&log);
}

static void check_events(struct ptl_log_reader *reader)
{
	const struct ptl_event *ev;

	ok((ev = ptl_log_reader_next(reader)) && ev->id == PTL_EV_START &&
		   ev->data_size == 0,
	   "an event without data");
	ok(ev->pid == 1000 && ev->tid == 42 && ev->image == 1 &&
		   ev->thread == UINT64_C(0x7f000000002a),
	   "who recorded it");
	is_int((long long)ev->counter, 5000, "its counter");
	is_int((long long)ev->ns, 6000, "its time");
	ok((ev = ptl_log_reader_next(reader)) && ev->data_size == 4 &&
		   memcmp(ev->data, "abc", 4) == 0 && ev->addr == 0x401000,
	   "an event with data");
	ok((ev = ptl_log_reader_next(reader)) && ev->data_size == 1 &&
		   ev->addr == UINT64_C(0xffffffff81000000),
	   "an address above 2^48");
	ok((ev = ptl_log_reader_next(reader)) && ev->data_size == BIG &&
		   memcmp(ev->data, big, BIG) == 0 && ev->addr == 0x401000,
	   "data above 64 KiB");
	ok((ev = ptl_log_reader_next(reader)) && ev->id == PTL_EV_STOP,
	   "an event after it");
	ok(!ptl_log_reader_next(reader) && !ptl_log_reader_next(reader),
	   "then no more");
}

static void check_state(struct ptl_log_reader *reader)
{
	const struct ptl_log_reader_state *state = ptl_log_reader_state(reader);
	const struct ptl_log_head *head = ptl_log_reader_head(reader);

	ok(state->complete && state->events == 5 && state->bad_size == 0 &&
		   state->good_end == state->size && state->end.lost == 7,
	   "the state is that of a whole log");
	ok(head->stream == 77 && head->attr.max_data == 99 &&
		   strlen(head->boot) == 36,
	   "the head tells the stream and boot");
	is_str(head->attr.name, "my stream", "the head tells attributes");
}

int main(void)
{
	char path[] = "/tmp/ptl-log-XXXXXX", told[PTL_PATH_SIZE];
	struct ptl_log_reader *reader;
	int fd = mkstemp(path);

	plan(20);
	for (size_t i = 0; i < BIG; i++)
		big[i] = (unsigned char)(i * 7 + i / 256);
	ptl_log_path(fd, told);
	is_str(told, path, "the path of a descriptor");
	write_log(fd);
	is_int(ptl_log_reader_open(fd, &reader), 0, "the log is opened");
	close(fd);
	check_state(reader);
	check_events(reader);
	ptl_log_reader_rewind(reader);
	is_int(mklog_drain(reader, NULL, 0), 5, "all again after rewind");
	unlink(path);
	is_int(lseek(fd, 0, SEEK_CUR), -1, "no descriptor is left");
	return done();
}
