/* SPDX-License-Identifier: MIT */
/*
 * Makes a log of any system events, for tests of the tools.  Its argument is
 * the log; each line of the input is an event,
 *
 *	TIME PID TID IMAGE ID ADDRESS FIELD...
 *
 * in the order of time (ns), where a field is a type of libptrace-events(7)
 * and its value: x:0x1000 i:-1 s:text b:0102.  Behind them @TIME: when the call
 * began.
 */
#include "t/lib/mklog.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct data {
	unsigned char bytes[4096];
	size_t size;
};

static void put(struct data *data, const void *bytes, size_t size)
{
	if (sizeof(data->bytes) - data->size < size)
		exit(3);
	memcpy(data->bytes + data->size, bytes, size);
	data->size += size;
}

static void put_bytes(struct data *data, const char *hex)
{
	unsigned char size = (unsigned char)(strlen(hex) / 2);
	unsigned int byte;

	put(data, &size, 1);
	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		put(data, &(unsigned char){(unsigned char)byte}, 1);
}

static void put_field(struct data *data, const char *field)
{
	const char *value = field + 2;
	uint64_t number;

	switch (field[0]) {
	case 'x':
	case 'i':
		number = field[0] == 'x' ? strtoull(value, NULL, 0) :
					   (uint64_t)strtoll(value, NULL, 0);
		put(data, &number, sizeof(number));
		break;
	case 's':
		put(data, value, strlen(value) + 1);
		break;
	case 'b':
		put_bytes(data, value);
		break;
	default:
		exit(3);
	}
}

/* One packet for as long as the same thread goes on. */
static void put_event(struct mklog *log, char *line)
{
	static uint64_t last[3];
	uint64_t number[6];
	struct data data = {.size = 0};
	char *word = strtok(line, " \n");

	for (size_t i = 0; i < 6; i++) {
		if (!word)
			exit(3);
		number[i] = strtoull(word, NULL, 0);
		word = strtok(NULL, " \n");
	}
	for (; word && *word != '@'; word = strtok(NULL, " \n"))
		put_field(&data, word);
	if (memcmp(last, number + 1, sizeof(last)) != 0) {
		if (last[0])
			mklog_close(log);
		mklog_span(log, (uint32_t)number[1], (uint32_t)number[2],
			   (uint32_t)number[3], number[0]);
		memcpy(last, number + 1, sizeof(last));
	}
	if (word)
		mklog_call(log, number[0], strtoull(word + 1, NULL, 0),
			   (uint32_t)number[4], data.bytes, data.size);
	else
		mklog_record(log, number[0], (uint32_t)number[4], number[5],
			     data.bytes, data.size);
}

int main(int argc, char **argv)
{
	struct mklog log;
	char line[8192];
	FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;

	if (!file)
		return 2;
	mklog_begin(&log);
	while (fgets(line, sizeof(line), stdin))
		put_event(&log, line);
	mklog_close(&log);
	mklog_end(&log);
	fwrite(log.bytes, 1, log.size, file);
	mklog_free(&log);
	return fclose(file);
}
