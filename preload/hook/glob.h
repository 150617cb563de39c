/* SPDX-License-Identifier: MIT */
/*
 * The functions that the user wants hooked: patterns NAME or LIBRARY:NAME, see
 * preload/settings/pattern.h.
 */
#ifndef PTL_PRELOAD_HOOK_GLOB_H
#define PTL_PRELOAD_HOOK_GLOB_H

#include "core/base.h"

#define PTL_GLOBS_MAX 64
#define PTL_GLOB_SIZE 128

struct ptl_glob {
	const char *text;    /* as given */
	const char *name;    /* the part after the colon */
	const char *library; /* or NULL: any */
	bool returns;	     /* -r */
	uint32_t slots;	     /* that have matched */
	uint32_t distance;   /* of the closest name so far, which is */
	char near[PTL_GLOB_SIZE];
};

/* Adds the patterns of a list separated by commas.  Those for which there is no
 * memory left are skipped. */
void ptl_globs_add(const char *list, bool returns);

/* Are those of the list the next ones from *nr on?  It counts them. */
bool ptl_globs_are(const char *list, bool returns, size_t *nr);
bool ptl_globs_end(size_t nr);

/* All patterns. */
struct ptl_glob *ptl_globs(size_t *nr);

/* The name exists, too: is it closer than those before? */
bool ptl_glob_is_closer(struct ptl_glob *glob, const char *name);
void ptl_glob_set_near(struct ptl_glob *glob, const char *library,
		       const char *name);

#endif
