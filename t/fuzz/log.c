/* SPDX-License-Identifier: MIT */
/*
 * The reader of logs against any bytes.  With clang's fuzzer:
 *
 *   clang -fsanitize=fuzzer,address,undefined ... t/fuzz/log.c t/lib/mklog.c
 *
 * or with t/fuzz/main.c, over files.  Checks are made right again, so that
 * the bytes behind them are reached.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "t/lib/mklog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is enclosed is in the log, whatever it says of its sizes. */
static void open_enclosed(struct ptl_log_reader *reader, size_t most)
{
	static char name[64], bytes[8192];
	uint64_t size;
	int error;

	for (size_t i = 0;; i++) {
		error = ptl_log_reader_enclosed(reader, i, name, sizeof(name),
						bytes, sizeof(bytes), &size);
		if (error == ENOENT)
			return;
		if (error != 0 || size > most || strlen(name) >= sizeof(name))
			abort();
	}
}

static void ask(struct ptl_log_reader *reader)
{
	for (uint32_t id = 0; (id = ptl_log_reader_type_next(reader, id));)
		if (strlen(ptl_log_reader_type_name(reader, id)) >=
			    PTL_NAME_SIZE ||
		    !ptl_log_reader_type_fields(reader, id))
			abort();
	ptl_log_reader_chunk_end(reader, 1, 1);
	if (strlen(ptl_log_reader_head(reader)->host) > 71)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptl_log_reader *reader;
	struct mklog log = { .size = size };

	log.bytes = malloc(size + 1);
	if (!log.bytes)
		return 0;
	memcpy(log.bytes, data, size);
	/* The last byte chooses, so that real logs are good seeds. */
	if (size && data[size - 1] % 2 == 0)
		mklog_check_all(&log);
	if (mklog_read(log.bytes, log.size, &reader) == 0) {
		ask(reader);
		open_enclosed(reader, size);
		if (mklog_drain(reader, NULL, 0) < 0)
			abort();
	}
	mklog_free(&log);
	return 0;
}
