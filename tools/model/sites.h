/* SPDX-License-Identifier: MIT */
/* Places in programs by their addresses, all calls of a line together. */
#ifndef PTL_TOOLS_MODEL_SITES_H
#define PTL_TOOLS_MODEL_SITES_H

#include "tools/model/view.h"
#include "tools/lib/hash.h"

/*
 * A call site: "main (file.c:12)"; where no line is known "main+0x1c (prog)" or
 * "+0x101c (prog)", or an address; "inlined (prog)" in what is inlined.
 */
struct ptl_site {
	const char *name;
	const char *function; /* "main (prog)", "(prog)" or "[unknown]" */
};

struct ptl_sites {
	struct ptl_hash by_place; /* by module and place in it */
	struct ptl_hash by_name;  /* the first site of a name */
};

void ptl_sites_begin(struct ptl_sites *sites);
void ptl_sites_free(struct ptl_sites *sites);

/*
 * Of an address in the event's process at its time: those of the functions that
 * are inlined there, innermost first, and last that of the function itself.
 * Returns how many, at least 1.
 */
size_t ptl_sites_all(struct ptl_sites *sites, const struct ptl_view *view,
		     uint64_t address, const struct ptl_site *const **site);

/* The innermost of them. */
const struct ptl_site *ptl_sites_at(struct ptl_sites *sites,
				    const struct ptl_view *view,
				    uint64_t address);

/* Of a thread that begins: the function itself, where no call is. */
const struct ptl_site *ptl_sites_entry(struct ptl_sites *sites,
				       const struct ptl_view *view);

#endif
