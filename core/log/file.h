/* SPDX-License-Identifier: MIT */
/*
 * The files of logs that are read.  Of very many not all can be open at once:
 * only some hold a descriptor.  One whose turn has gone by is closed, and
 * opened again by its name when it is needed; if that is another file by then,
 * or one that is shorter, its bytes cannot be had any more.
 */
#ifndef PTL_CORE_LOG_FILE_H
#define PTL_CORE_LOG_FILE_H

#include "core/base.h"

#include "core/sys/wide.h"

struct ptl_log_file {
	_Atomic int fd;		/* -1: it has none now */
	_Atomic uint32_t users; /* of the descriptor */
	_Atomic bool was_used;	/* lately */
	uint32_t place;		/* among those that hold one */
	uint64_t dev, ino;
	uint64_t size; /* so much of it must be there */
	char *path;    /* by which it can be opened again, or NULL */
};

/* Closes a descriptor of another log if there are enough: before one more is
 * made. */
void ptl_log_file_room(void);

/* From now on `fd', a descriptor of ours, is the file's. */
void ptl_log_file_begin(struct ptl_log_file *file, int fd,
			const struct ptl_kstat *st);
void ptl_log_file_end(struct ptl_log_file *file);

/*
 * The descriptor, which stays open until ptl_log_file_put(); or a negative
 * errno: ESTALE if the file is not there any more.
 */
int ptl_log_file_get(struct ptl_log_file *file);
void ptl_log_file_put(struct ptl_log_file *file);

/* Are there so many that each should do with little memory? */
bool ptl_log_file_many(void);

/* In a fork child, which reads no log of its parent. */
void ptl_log_file_forked(void);

#endif
