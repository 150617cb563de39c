/* SPDX-License-Identifier: MIT */
/*
 * Which file an event is about: descriptors and streams of stdio of each
 * process, as they are opened, duplicated, inherited and closed.
 */
#ifndef PTL_TOOLS_REPORT_FILES_H
#define PTL_TOOLS_REPORT_FILES_H

#include "tools/report/model.h"

enum ptl_file_kind {
	PTL_FILE_PATH,
	PTL_FILE_PIPE,
	PTL_FILE_SOCKET,
	PTL_FILE_OTHER,	  /* epoll and the like */
	PTL_FILE_UNKNOWN, /* it was opened before the trace began */
	PTL_FILE_KINDS
};

/* Never freed before the end. */
struct ptl_file {
	enum ptl_file_kind kind;
	const char *name;
	const char *old_name;		 /* before it was renamed, or NULL */
	bool is_replaced;		 /* another file has this name now */
	struct ptl_file *same;		 /* what it turned out to be, or NULL */
	const struct ptl_process *owner; /* of one that is unknown */
	size_t number;
};

/* What an event does with a file. */
struct ptl_file_use {
	struct ptl_file *file;
	bool is_open, is_read, is_write;
	int64_t bytes; /* read or written */
};

/* A file is read and another one written by sendfile() and the like. */
#define PTL_FILE_USES 2

struct ptl_files;

struct ptl_files *ptl_files_new(void);
void ptl_files_free(struct ptl_files *files);

/* Learns from an event, and says what it does with which files.  Returns how
 * many these are. */
unsigned int ptl_files_learn(struct ptl_files *files,
			     const struct ptl_step *step,
			     struct ptl_file_use use[PTL_FILE_USES]);

/* What it turned out to be. */
const struct ptl_file *ptl_file_same(const struct ptl_file *file);

size_t ptl_files_nr(const struct ptl_files *files);
const char *ptl_file_kind_name(enum ptl_file_kind kind);

#endif
