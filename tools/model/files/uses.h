/* SPDX-License-Identifier: MIT */
/*
 * What an event does with which files: descriptors and streams of stdio of each
 * process are followed as they are opened, duplicated, inherited and closed.
 */
#ifndef PTL_TOOLS_MODEL_FILES_USES_H
#define PTL_TOOLS_MODEL_FILES_USES_H

#include "tools/model/files/files.h"

/* What an event does with a file. */
struct ptl_file_use {
	struct ptl_file *file;
	bool is_open, is_read, is_write;
	int64_t bytes; /* read or written */
};

/* A file is read and another one written by sendfile() and the like. */
#define PTL_FILE_USES 2

/* Learns from an event, and says what it does with which files.  Returns how
 * many these are. */
unsigned int ptl_uses_learn(struct ptl_files *files,
			    const struct ptl_step *step,
			    struct ptl_file_use use[PTL_FILE_USES]);

#endif
