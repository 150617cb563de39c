/* SPDX-License-Identifier: MIT */
/*
 * The formats of the output.  A format is a struct ptl_format in a file of its
 * own, and a row in formats.c; the options, the usage text and the messages
 * are made from the rows.
 */
#ifndef PTL_TOOLS_DUMP_PARTS_FORMAT_H
#define PTL_TOOLS_DUMP_PARTS_FORMAT_H

#include <stdbool.h>

struct ptl_sink;
struct ptl_step;

struct ptl_format {
	const char *name;

	/* The format makes several files, in the directory that -o names. */
	bool wants_directory;

	/* The format makes the file that -o names, which is new or empty, and
	 * opens it itself. */
	bool wants_new_file;

	/* The format is not built, since this was not there; or NULL. */
	const char *lacks;

	/* The format wants to know of processes and threads: see model.h. */
	bool wants_processes;

	/* How slow calls have to be is for the format itself to decide: see
	 * look.h. */
	bool takes_slower;

	/* Begin and end of a call are one for it: see filter.h. */
	bool joins_calls;

	/* Before the first event.  NULL: nothing to do. */
	void (*begin)(struct ptl_sink *sink);

	/* Each event that the user wants to see, in the order of time. */
	void (*event)(struct ptl_sink *sink, const struct ptl_step *step);

	/* Events between them that the user does not want to see, of which
	 * later ones may need to know something.  NULL: nothing. */
	void (*learn)(struct ptl_sink *sink, const struct ptl_step *step);

	/* After the last event, even if there was none.  NULL: nothing to do.
	 */
	void (*end)(struct ptl_sink *sink);

	/*
	 * --info, instead of the three above: what the logs say besides their
	 * events (info.h).  NULL: not in this format.
	 */
	void (*info)(struct ptl_sink *sink);
};

/* Text with what descriptors stand for, which is in earlier events. */
extern const struct ptl_format ptl_format_text_paths;

/* The rows.  The first is the default, NULL is behind the last. */
extern const struct ptl_format *const ptl_formats[];

#endif
