/* SPDX-License-Identifier: MIT */
/*
 * Makes a log in which every string that a log can have is a terminal's
 * nightmare: escapes, ends of lines, the direction of writing, and quotes.
 * Its argument is the log.
 */
#include "t/lib/mklog.h"

#include <stdio.h>
#include <string.h>

#define NASTY \
	"n\033]0;owned\a\033[2J\n1.000000000 7/7 forged\r\t\b\177" \
	"\xc2\x9b" "31m\x9b\xe2\x80\xae" "\xe2\x81\xa6" "\xe2\x80\x8b" \
	"\xe2\x80\xa8" "\xd8\x9c\"\\"
/* A field's name ends at a blank or colon, and is shorter. */
#define NASTY_WORD "w\033[2J\n\r\b\177\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\"\\"

struct data {
	unsigned char bytes[1024];
	size_t size;
};

static void put(struct data *data, const void *bytes, size_t size)
{
	memcpy(data->bytes + data->size, bytes, size);
	data->size += size;
}

static void put_number(struct data *data, uint64_t number)
{
	put(data, &number, sizeof(number));
}

static void put_nasty(struct data *data)
{
	put(data, NASTY, sizeof(NASTY));
}

static void nasty_head(struct mklog *log)
{
	struct ptl_log_head *head = (void *)log->bytes;

	memcpy(head->host, NASTY, sizeof(NASTY));
	memcpy(head->attr.name, NASTY, sizeof(NASTY));
	memcpy(head->attr.version, NASTY, sizeof(head->attr.version) - 1);
	mklog_check_head(log);
}

static void record(struct mklog *log, uint64_t when, uint32_t id,
		   struct data *data)
{
	mklog_record(log, when, id, 0x1010, data->bytes, data->size);
	data->size = 0;
}

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
	struct data data = {.size = 0};
	struct mklog log;

	if (!file)
		return 2;
	mklog_begin(&log);
	nasty_head(&log);
	mklog_type(&log, 300, NASTY, NASTY_WORD ":s " NASTY_WORD ":i");
	mklog_type(&log, 301, NASTY "2", "");
	mklog_span(&log, 7, 7, 0, 10);
	/* process:start, dl:map, call:symbol, call:enter, and the log's own */
	put_number(&data, 1);
	put_nasty(&data);
	put_nasty(&data);
	record(&log, 10, 16, &data);
	put_number(&data, 0x1000);
	put_number(&data, 0x1000);
	put_nasty(&data);
	put(&data, "\x02xy", 3);
	record(&log, 11, 32, &data);
	put_nasty(&data);
	put_number(&data, 42);
	record(&log, 12, 300, &data);
	put_nasty(&data);
	record(&log, 13, 301, &data);
	put_nasty(&data);
	record(&log, 14, 9, &data);
	mklog_close(&log);
	mklog_end(&log);
	fwrite(log.bytes, 1, log.size, file);
	mklog_free(&log);
	return fclose(file);
}
