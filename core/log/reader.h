/* SPDX-License-Identifier: MIT */
/*
 * Reading a log, oldest event first.  A log is foreign bytes: every size is
 * checked, nothing is believed.  What cannot be understood is stepped over to
 * the next packet that can, counted, and reported by offset; the file may be
 * cut anywhere.  Packets are indexed once; each holds records of one thread in
 * order, so the reader merges packets by time with a heap that holds only those
 * that overlap.
 */
#ifndef PTL_CORE_LOG_READER_H
#define PTL_CORE_LOG_READER_H

#include "core/format/logfile.h"
#include "core/log/event.h"

struct ptl_log_reader;

/*
 * Indexes the log.  Returns 0; EINVAL: not a log, not a regular file, not
 * readable, other byte order, word size or major version (the head is
 * checked); ENOMEM, EMFILE; or why the head cannot be read.  A duplicate of the
 * descriptor is kept until close, or while there are not too many (file.h), and
 * the offset the two share is left alone.
 * Bytes after a good head that make no sense, or cannot be read, do not fail
 * the open: see ptl_log_reader_state().
 */
int ptl_log_reader_open(int fd, struct ptl_log_reader **reader);
void ptl_log_reader_close(struct ptl_log_reader *reader);

/*
 * The next event, valid until the next call; NULL at the end.  The counter is
 * as recorded; ns never goes back from one event to the next.
 */
const struct ptl_event *ptl_log_reader_next(struct ptl_log_reader *reader);
/*
 * At the end: looks whether the file has grown since, and takes in what is
 * whole now.  False: there are no more events.
 */
bool ptl_log_reader_grow(struct ptl_log_reader *reader);
/* See ptl_log_merge_limit(). */
void ptl_log_reader_limit(struct ptl_log_reader *reader, uint64_t since,
			  uint64_t until);
void ptl_log_reader_rewind(struct ptl_log_reader *reader);

/* CLOCK_REALTIME in ns when the counter had that value. */
uint64_t ptl_log_reader_time(const struct ptl_log_reader *reader,
			     uint64_t counter);

/* In a fork child: it reads none of its parent's logs. */
void ptl_log_reader_forked(void);

const struct ptl_log_head *
ptl_log_reader_head(const struct ptl_log_reader *reader);

/* Headers were looked at when the log was opened; see event.h. */
const struct ptl_log_reader_state *
ptl_log_reader_state(const struct ptl_log_reader *reader);

/*
 * Event types of the log by id, predefined ones included.  Name and fields
 * are null-terminated; NULL if the log has no such type.
 */
const char *ptl_log_reader_type_name(const struct ptl_log_reader *reader,
				     uint32_t id);
const char *ptl_log_reader_type_fields(const struct ptl_log_reader *reader,
				       uint32_t id);
/* The next id after `id' (0: the first) that has a type, or 0. */
uint32_t ptl_log_reader_type_next(const struct ptl_log_reader *reader,
				  uint32_t id);

/* What is enclosed, by its number: of its name as much as there is room for,
 * with a null, and of its bytes; and how many bytes it has.  ENOENT: there are
 * not so many.  EIO: they cannot be read. */
int ptl_log_reader_enclosed(struct ptl_log_reader *reader, size_t number,
			    char *name, size_t name_room, void *data,
			    size_t room, uint64_t *whole);

/*
 * For recovery: how far chunk `chunk' in its life `life' is in the log
 * already (the largest chunk_end), or 0.
 */
uint64_t ptl_log_reader_chunk_end(const struct ptl_log_reader *reader,
				  uint32_t chunk, uint64_t life);

#endif
