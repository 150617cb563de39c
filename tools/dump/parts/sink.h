/* SPDX-License-Identifier: MIT */
/* Where the output goes: a file, or a directory of them. */
#ifndef PTL_TOOLS_DUMP_PARTS_SINK_H
#define PTL_TOOLS_DUMP_PARTS_SINK_H

#include "tools/dump/parts/format.h"
#include "tools/model/model.h"
#include "tools/read/merge.h"
#include "tools/lib/out.h"

struct ptl_look;

struct ptl_sink {
	const struct ptl_format *format;
	const struct ptl_look *look; /* of text */
	struct ptl_merge *merge;     /* the logs that the output is made from */
	struct ptl_model *model;     /* what is known of them */
	int directory;		     /* if the format wants one, or -1 */
	const char *path;   /* of a file that it opens itself, or NULL */
	struct ptl_out out; /* if it does not */
};

/*
 * Path NULL is standard output, which is no directory.  What cannot be opened
 * ends the program: with a line that says why, and its status.
 */
void ptl_sink_open(struct ptl_sink *sink, const struct ptl_format *format,
		   struct ptl_merge *merge, const char *path);
void ptl_sink_close(struct ptl_sink *sink);

/* A file that the format opens itself cannot be written: it is removed. */
void ptl_sink_fail(const struct ptl_sink *sink, const char *why)
	__attribute__((noreturn));

/* Makes a file in the directory, and opens it for writing. */
void ptl_sink_create(const struct ptl_sink *sink, const char *name,
		     struct ptl_out *out);

/* Opens one that was made so, to write on at its end. */
void ptl_sink_append(const struct ptl_sink *sink, const char *name,
		     struct ptl_out *out);

/* Makes a directory in the directory. */
void ptl_sink_mkdir(const struct ptl_sink *sink, const char *name);

#endif
