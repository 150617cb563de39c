/* SPDX-License-Identifier: MIT */
/* The modules that a process has mapped.  Processes share one list until one of
 * them changes it. */
#ifndef PTL_TOOLS_SYMBOLIZE_MAPPED_H
#define PTL_TOOLS_SYMBOLIZE_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_symfile;

struct ptl_module {
	uint64_t start, end;
	uint64_t base; /* what was added to the file's own addresses */
	struct ptl_symfile *file;
};

/* Sorted by start, without overlaps.  A null pointer is one without modules. */
#define PTL_MAPPED_FOUND 32

struct ptl_mapped {
	unsigned int users;
	uint64_t number; /* another one after each change */
	size_t nr, room;
	/* Lately, by the address: if they are still there. */
	size_t found[PTL_MAPPED_FOUND];
	struct ptl_module *module;
};

void ptl_mapped_release(struct ptl_mapped *mapped);

/* The module at that address; NULL: there is none. */
const struct ptl_module *ptl_mapped_find(struct ptl_mapped *mapped,
					 uint64_t address);

/* Do any overlap [start, end)?  Those from *first up to *last. */
bool ptl_mapped_overlap(const struct ptl_mapped *mapped, uint64_t start,
			uint64_t end, size_t *first, size_t *last);

/* What changes *mapped makes it another one if it is shared. */
void ptl_mapped_remove(struct ptl_mapped **mapped, size_t first, size_t last);
void ptl_mapped_insert(struct ptl_mapped **mapped,
		       const struct ptl_module *module);

#endif
