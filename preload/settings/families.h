/* SPDX-License-Identifier: MIT */
/* Which families of system events to record: -e, PTRACE_EVENTS. */
#ifndef PTL_PRELOAD_SETTINGS_FAMILIES_H
#define PTL_PRELOAD_SETTINGS_FAMILIES_H

#include "core/base.h"

/* The list of families: the part before the colon in the name of an event type.
 */
#define PTL_FAMILIES(FAMILY) \
	FAMILY(process) \
	FAMILY(thread) \
	FAMILY(signal) \
	FAMILY(file) \
	FAMILY(io) \
	FAMILY(mem) \
	FAMILY(sync) \
	FAMILY(time) \
	FAMILY(net) \
	FAMILY(dl) \
	FAMILY(call)

/* The words of a list; each may have a ! before it. */
#define PTL_FAMILIES_WORD(name) #name ","
#define PTL_FAMILIES_WORDS PTL_FAMILIES(PTL_FAMILIES_WORD) "all,none"
#define PTL_FAMILIES_DEFAULT "process,thread"

/*
 * Two are exceptions: addresses get their names from dl:map, and processes from
 * process:program.  Each is recorded unless its family was excluded by name
 * (!dl, !process) or with everything (none).
 */
struct ptl_families {
	uint32_t chosen; /* a bit for each family */
	bool has_maps;	 /* dl:map and dl:unmap */
	bool has_names;	 /* process:program */
	bool is_given;	 /* by the user: no longer the default */
	bool names_call; /* call, chosen by its own name */
};

void ptl_families_init(struct ptl_families *families);

/*
 * Adds a list as the user wrote it.  The first list replaces the default; if it
 * begins with an exclusion, it means all other families, as in strace.  Returns
 * false for an unknown family, and then changes nothing.
 */
bool ptl_families_add(struct ptl_families *families, const char *list);

/*
 * Is this system event type to be recorded?  The types of the standard always
 * are; those of the family call are also recorded if functions were named (-l,
 * -r).
 */
bool ptl_families_want(const struct ptl_families *families, bool has_calls,
		       const char *event_name);

#endif
