/* SPDX-License-Identifier: MIT */
/*
 * Names of addresses inside a file, from its symbol tables.  These are read
 * once, when the first name is needed; a file that is not the one that was
 * mapped gives no names.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_SYMBOLS_H
#define PTL_TOOLS_SYMBOLIZE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/symbolize/lines.h"

struct ptl_symfile;

/*
 * The file with that path and build id, of which `size' bytes were mapped;
 * always the same pointer for the same file.  Never freed: the process is
 * short-lived.
 */
struct ptl_symfile *ptl_symfile_get(const char *path, size_t path_size,
				    const void *build_id, size_t id_size,
				    uint64_t size);

/* Of the code that a JIT has made for a process, by addresses; NULL: no log has
 * its names. */
struct ptl_symfile *ptl_symfile_jit(pid_t pid);

/*
 * A function of that name and size that is in no file: always the same file,
 * named JIT, for all of them, and *at where it is in that.  NULL: too large.
 */
struct ptl_symfile *ptl_symfile_made(bool is_kernel, const char *name,
				     size_t name_size, uint64_t size,
				     uint64_t *at);

/* Frames that are not in a stack, as a file whose first byte they are. */
struct ptl_symfile *ptl_symfile_left_out(void);

/* The lowest of the file's own addresses, by which its symbols are given. */
uint64_t ptl_symfile_low(const struct ptl_symfile *file);

/* The file's name without directories. */
const char *ptl_symfile_module(const struct ptl_symfile *file);

/*
 * "function+0x1c (module)" for a return address in the file, with the function
 * that has the call before it.  NULL if it has no name.  Valid until the next
 * call.
 */
const char *ptl_symfile_name(struct ptl_symfile *file, uint64_t address);

/* ptl_symfile_name() of an address that nothing returns to. */
const char *ptl_symfile_entry(struct ptl_symfile *file, uint64_t address);

/*
 * The lines of source code for a return address, likewise: of the functions
 * that are inlined there, innermost first, and last of the function itself.
 * Returns how many, at least 1; of a file that is not known (NULL) it is one of
 * which nothing is known.  Valid until the next call.
 */
size_t ptl_symfile_lines(struct ptl_symfile *file, uint64_t address,
			 const struct ptl_srcline **line);

/* The function at an address; NULL if it has no name. */
const char *ptl_symfile_function(struct ptl_symfile *file, uint64_t address);

/* Has it a function of its own of that name, as it is in the symbol table? */
bool ptl_symfile_defines(struct ptl_symfile *file, const char *name);

/* Where the function begins that has the call before a return address; false:
 * it has no name. */
bool ptl_symfile_start(struct ptl_symfile *file, uint64_t address,
		       uint64_t *start);

/* The variable that contains an address, and how far inside; NULL if it has no
 * name. */
const char *ptl_symfile_variable(struct ptl_symfile *file, uint64_t address,
				 uint64_t *offset);

/*
 * Reports on stderr the files that would have been needed and have changed or
 * are gone: each of them, or their number.
 */
void ptl_symfile_report(bool is_each);

#endif
