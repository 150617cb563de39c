/* SPDX-License-Identifier: MIT */
/*
 * Writing a log: a head, then whole packets.  The writer is the controller of
 * the stream or the process that recovers it.  A write that fails midway
 * (ENOSPC, EFBIG) is taken back to the last whole packet, so a log is readable
 * at every moment.
 */
#ifndef PTL_CORE_LOG_WRITER_H
#define PTL_CORE_LOG_WRITER_H

#include "core/format/layout.h"
#include "core/format/logfile.h"

#include "core/sys/wide.h"

struct ptl_log_writer {
	int fd;		   /* ours, above the standard three */
	bool seekable;	   /* a regular file: pwrite; else write */
	uint64_t dev, ino; /* of the file, checked before each write: the
			    * program may have closed our descriptor */
	uint64_t end;	   /* where the next packet goes */
	uint64_t size;	   /* the file has, or was cut by another program */
	struct ptl_log_head head;
	/* No regular file: why it cannot go on, and how many bytes of what was
	 * to be written were not read. */
	int broken;
	uint64_t unread;
	bool cut; /* another program has made the file shorter than it was */
	/* The signals that stay blocked while a pipe has no room; NULL: all
	 * that are. */
	const uint64_t *patient;
};

/* 32-bit FNV-1a over the bytes of a head or packet header. */
uint32_t ptl_log_check(const void *data, size_t size);

/* Is it the head of a log that we can read: magic, version, byte order, word
 * size, check? */
bool ptl_log_head_ok(const struct ptl_log_head *head);

/*
 * Takes a duplicate of fd (its own file description where /proc allows, so
 * that O_APPEND and the offset of the caller's stay as they are), discards
 * old contents of a regular file and writes the head.  Fills in the head's
 * magic, version, boot, host, check, and where but for the clock's offset; the
 * caller the rest.  EBADF (not open
 * for writing), EINVAL (directory), ENOSPC, EFBIG, EIO.
 */
int ptl_log_create(struct ptl_log_writer *log, int fd,
		   struct ptl_log_head *head);

/*
 * Opens an existing log for completion: fd, which may be O_PATH, is reopened
 * for writing through /proc.  The numbers come from a segment that may be
 * hostile, so only the log of that stream is accepted: dev and ino must match
 * (else ESTALE), it must be a log of that stream (else EINVAL).  EACCES if it
 * may not be written.  Where the log ends is for the caller to find out: see
 * ptl_log_cut().
 */
int ptl_log_resume(struct ptl_log_writer *log, int fd, uint64_t dev,
		   uint64_t ino, uint64_t stream);

/* Cuts the log to that length, and goes on there; 0, EBADF or EIO. */
int ptl_log_cut(struct ptl_log_writer *log, uint64_t end);

/*
 * The packet that ends the log cannot be written: puts the reason and the
 * totals into the head, which has its place already; if that can be.
 */
void ptl_log_cut_short(struct ptl_log_writer *log,
		       const struct ptl_log_end *end, uint64_t untraced);

/* Fills in `check' of each of the packets; EINVAL if they are none. */
int ptl_log_seal(void *packets, size_t size);

/* Writes somewhere, as ptl_log_append(); not all or nothing. */
int ptl_log_write_at(const struct ptl_log_writer *log, uint64_t at,
		     const void *data, size_t size);

/*
 * Appends packets (each with its header; `check' is filled in here by walking
 * them).  All or nothing.  Returns 0, ENOSPC, EFBIG, EBADF (our descriptor is
 * gone), EPIPE, EIO, EINVAL (no packets).  SIGXFSZ and SIGPIPE do not reach the
 * program.
 */
int ptl_log_append(struct ptl_log_writer *log, void *packets, size_t size);

/* A duplicate, out of the program's way; or -EBADF, -EMFILE. */
int ptl_log_dup(int fd);

/* Opens the log by another file description: neither O_APPEND nor the offset is
 * then shared with the program.  `want': which file it must be. */
int ptl_log_reopen(int fd, int flags, const struct ptl_kstat *want);

/* Closes our descriptor, if it still is ours. */
void ptl_log_close(struct ptl_log_writer *log);

/* Path of fd as in /proc/self/fd, into buf of PTL_PATH_SIZE; "" if none. */
void ptl_log_path(int fd, char *buf);

#endif
