/* SPDX-License-Identifier: MIT */
/*
 * Names of addresses inside a file, from its symbol tables.  These are read
 * once, when the first name is asked for; a file that is not the one that was
 * mapped has no names.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_SYMBOLS_H
#define PTL_TOOLS_SYMBOLIZE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_symfile;

/*
 * The file of that path and build id, size bytes of which were mapped; the
 * same pointer for the same file.  Never freed: the process is short-lived.
 */
struct ptl_symfile *ptl_symfile_get(const char *path, size_t path_size,
				    const void *build_id, size_t id_size,
				    uint64_t size);

/* The lowest of the file's own addresses, which are those of its symbols. */
uint64_t ptl_symfile_low(const struct ptl_symfile *file);

/* The file's name without directories. */
const char *ptl_symfile_module(const struct ptl_symfile *file);

/*
 * "function+0x1c (module)" for a return address of the file: the function is
 * the one that has the call before it.  NULL if it has no name.  Valid until
 * the next call.
 */
const char *ptl_symfile_name(struct ptl_symfile *file, uint64_t address);

/* The function at an address; NULL if it has no name. */
const char *ptl_symfile_function(struct ptl_symfile *file, uint64_t address);

/*
 * Tells on stderr which files would have been needed and are no longer what
 * they were: how many of them, or each, and those that are gone.
 */
void ptl_symfile_report(bool is_each);

#endif
