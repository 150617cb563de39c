/* SPDX-License-Identifier: MIT */
/*
 * Names of addresses inside a file, from its symbol tables.  Each file is read
 * once, when it is first asked for; a file that is not the one that was mapped
 * (by build id) has no names.
 */
#ifndef PTL_TOOLS_SYMBOLS_H
#define PTL_TOOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct ptl_symfile;

/*
 * The file of that path and build id; the same pointer for the same file.
 * Never freed: the process is short-lived.
 */
struct ptl_symfile *ptl_symfile_get(const char *path, size_t path_size,
				    const void *build_id, size_t id_size);

/*
 * The lowest address of a file that is mapped where it says (not position-
 * independent) and is the one that was mapped; 0 otherwise.
 */
uint64_t ptl_symfile_fixed_base(struct ptl_symfile *file);

/*
 * "function+0x1c (module)" for the byte at `offset' from the lowest mapped
 * address of the file; NULL if it has no name.  Valid until the next call.
 */
const char *ptl_symfile_name(struct ptl_symfile *file, uint64_t offset);

#endif
