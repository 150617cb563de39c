/* SPDX-License-Identifier: MIT */
/*
 * Logs made in memory, for tests of the reader: byte by byte as the writer
 * makes them, so that a test can then cut or damage them.  Unit tests only.
 */
#ifndef PTL_T_LIB_MKLOG_H
#define PTL_T_LIB_MKLOG_H

#include "core/format/record.h"
#include "core/log/reader.h"

struct mklog {
	unsigned char *bytes;
	size_t size;
	size_t room;
	size_t packet;		/* offset of the one under construction */
};

/* A head with the MONOTONIC clock, so that ns is the counter plus 1000. */
void mklog_begin(struct mklog *log);
void mklog_free(struct mklog *log);

/* A packet; mklog_close() fills in what its header says about its contents. */
void mklog_open(struct mklog *log, enum ptl_packet_kind kind);
void mklog_put(struct mklog *log, const void *data, size_t size);
void mklog_close(struct mklog *log);

/* A packet of events of a thread (in process 1000), from a counter on. */
void mklog_events(struct mklog *log, uint32_t tid, uint64_t counter);
void mklog_span(struct mklog *log, uint32_t pid, uint32_t tid, uint32_t image,
		uint64_t counter);
void mklog_record(struct mklog *log, uint64_t counter, uint32_t id,
		  uint64_t addr, const void *data, size_t size);

/* A call of libc with so much data, and when it began, 0 for not known. */
void mklog_call(struct mklog *log, uint64_t counter, uint64_t since,
		uint32_t id, const void *data, size_t size);

/* Whole packets. */
void mklog_type(struct mklog *log, uint32_t id, const char *name,
		const char *fields);
void mklog_end(struct mklog *log);

/* Makes the checksums right again after a test has changed a header. */
void mklog_check_head(struct mklog *log);
void mklog_check_packet(struct mklog *log, size_t offset);

/* For any bytes: those of the head, and of the packets that follow each other
 * as their sizes say. */
void mklog_check_all(struct mklog *log);

/* A file of these bytes, open for reading and writing; it has no name. */
int mklog_file(const void *bytes, size_t size);

/* The result of ptl_log_reader_open() for such a file. */
int mklog_read(const void *bytes, size_t size, struct ptl_log_reader **reader);

/*
 * Reads all events and closes the reader.  Stores their counters in `counters',
 * in order, as far as there is room.  Touches every byte of their data.
 * Returns the number of events; -1 if time went back.
 */
long mklog_drain(struct ptl_log_reader *reader, uint64_t *counters,
		 size_t room);

#endif
