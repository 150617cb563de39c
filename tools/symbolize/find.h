/* SPDX-License-Identifier: MIT */
/*
 * Finds the file for a path in a log, and the file with its symbols if they
 * were split off: below the directory of --symfs, or on this system.  A file is
 * accepted if it is the one that was mapped, going by its build id.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_FIND_H
#define PTL_TOOLS_SYMBOLIZE_FIND_H

#include "tools/symbolize/image.h"

/* As recorded in the log. */
struct ptl_wanted {
	const char *path;
	const unsigned char *id;
	size_t id_size;
	uint64_t size; /* of what was mapped */
};

enum ptl_found {
	PTL_FOUND,
	PTL_FOUND_OTHER, /* another file has that path */
	PTL_FOUND_NONE,
};

/* Search below this directory only. */
void ptl_find_below(const char *directory);

/* Open no files at all. */
void ptl_find_nothing(void);
bool ptl_find_is_off(void);

/* Ask this first, for a descriptor of the file; -1: it has none. */
void ptl_find_first(int (*ask)(const struct ptl_wanted *wanted));

/* Opens *image if the file is found. */
enum ptl_found ptl_find_file(const struct ptl_wanted *wanted,
			     struct ptl_elf_image *image);

/*
 * Opens the file with the symbols that were split off; main is the file itself
 * or NULL.  Returns whether it was found.
 */
bool ptl_find_debug(const struct ptl_wanted *wanted,
		    const struct ptl_elf_image *main,
		    struct ptl_elf_image *debug);

#endif
