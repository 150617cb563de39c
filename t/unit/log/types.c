/* SPDX-License-Identifier: MIT */
/* A log tells its event types; the first of an id counts, nonsense does not. */
#include <string.h>

#include "core/format/logfile.h"
#include "core/format/sysevents.h"
#include "core/log/packet.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

/* An entry of these bytes as name and fields. */
static void put_raw(struct mklog *log, uint32_t id, uint32_t size,
		    const void *text, size_t text_size)
{
	struct ptl_log_type type = { .size = size, .id = id };

	mklog_put(log, &type, sizeof(type));
	mklog_put(log, text, text_size);
}

static void put_good(struct mklog *log)
{
	_Alignas(8) char buf[256];
	size_t size = ptl_packet_begin(buf, PTL_PACKET_TYPES);

	ptl_packet_type(buf, sizeof(buf), 256, "one", "");
	ptl_packet_type(buf, sizeof(buf), 257, "two", "n:i s:s");
	ptl_packet_type(buf, sizeof(buf), PTL_EV_START, "fake", "");
	size = ptl_packet_type(buf, sizeof(buf), 256, "other", "x:x");
	is_int(ptl_packet_type(buf, size + 8, 258, "none", ""), 0,
	       "a full packet takes no more");
	mklog_open(log, PTL_PACKET_TYPES);
	mklog_put(log, buf + sizeof(struct ptl_log_packet),
		  size - sizeof(struct ptl_log_packet));
	mklog_close(log);
}

static void put_bad(struct mklog *log)
{
	char name[264];

	memset(name, 'n', sizeof(name));
	name[PTL_NAME_SIZE] = '\0';
	name[PTL_NAME_SIZE + 1] = '\0';
	mklog_open(log, PTL_PACKET_TYPES);
	put_raw(log, 300, 8 + sizeof(name), name, sizeof(name));
	put_raw(log, 301, 16, "no ends!", 8);
	put_raw(log, 302, 16, "no end\0f", 8);
	/* A name of no characters is one. */
	put_raw(log, 303, 16, "\0\0\0\0\0\0\0\0", 8);
	put_raw(log, 0, 16, "zero\0\0\0", 8);
	put_raw(log, PTL_ID_LIMIT, 16, "large\0\0", 8);
	put_raw(log, UINT32_MAX, 16, "large\0\0", 8);
	put_raw(log, 304, 16, "good\0\0\0", 8);
	put_raw(log, 305, 7, "small\0\0", 8);
	put_raw(log, 306, 16, "lost\0\0\0", 8);
	mklog_close(log);
	/* Of 255 characters, the longest there can be. */
	name[PTL_NAME_SIZE - 1] = '\0';
	mklog_open(log, PTL_PACKET_TYPES);
	put_raw(log, 400, 8 + sizeof(name), name, sizeof(name));
	mklog_close(log);
}

int main(void)
{
	static const uint32_t want[] = { 256, 257, 303, 304, 400, 0 };
	struct ptl_log_reader *reader;
	struct mklog log;
	uint32_t id = PTL_ID_FIRST_USER - 1;

	plan(16);
	mklog_begin(&log);
	put_good(&log);
	put_bad(&log);
	is_int(mklog_read(log.bytes, log.size, &reader), 0, "a log of types");
	is_str(ptl_log_reader_type_name(reader, 256), "one", "first wins");
	is_str(ptl_log_reader_type_fields(reader, 256), "", "without fields");
	is_str(ptl_log_reader_type_name(reader, 257), "two", "another");
	is_str(ptl_log_reader_type_fields(reader, 257), "n:i s:s",
	       "with fields");
	is_str(ptl_log_reader_type_name(reader, PTL_EV_START),
	       "posix_trace_start", "predefined types stay");
	is_int((long long)strlen(ptl_log_reader_type_name(reader, 400)), 255,
	       "the longest name");
	ok(!ptl_log_reader_type_name(reader, PTL_ID_LIMIT) &&
		   !ptl_log_reader_type_fields(reader, 300) &&
		   !ptl_log_reader_type_name(reader, UINT32_MAX),
	   "others are not there");
	is_int(ptl_log_reader_type_next(reader, 0), 1, "the list begins at 1");
	for (size_t i = 0; i < PTL_ARRAY_SIZE(want); i++) {
		id = ptl_log_reader_type_next(reader, id);
		is_int(id, want[i], "the list goes on with %u", want[i]);
	}
	ptl_log_reader_close(reader);
	mklog_free(&log);
	return done();
}
