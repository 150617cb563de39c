/* SPDX-License-Identifier: MIT */
/*
 * What is known of a probe that is recorded: memory of the process, that the
 * word behind the one with the probe's address leads to.  Once made, it is
 * there for good.
 */
#ifndef PTL_PRELOAD_PATCH_PROBES_H
#define PTL_PRELOAD_PATCH_PROBES_H

#include "preload/patch/block.h"

#include <link.h>

struct ptl_probe_known {
	_Atomic uint32_t type; /* of its events; 0: nobody has come by yet */
	uint32_t nr;	       /* of arguments */
	bool has_strings;      /* among these */
	uint64_t at;	       /* the operation that does nothing */
	const char *name, *fields;
	const struct ptl_patch_argument *argument;
};

/* For all probes of a block; word: those of its arena, with addresses of the
 * process; base: where the object is.  NULL: done; or why not. */
const char *ptl_probes_make(const struct ptl_patch_view *block, uint64_t *word,
			    uintptr_t base);

/* Of an object that comes again: what was made before. */
void ptl_probes_take(const struct ptl_patch_view *block, uint64_t *word,
		     const uint64_t *before);

/* The patches are written: programs that ask whether somebody is interested in
 * a probe are told so. */
void ptl_probes_switch_on(const struct ptl_patch_view *block,
			  const struct dl_phdr_info *info);

#endif
