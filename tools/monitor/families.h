/* SPDX-License-Identifier: MIT */
/* Which families of system events are to be recorded: -e, PTRACE_EVENTS. */
#ifndef PTL_TOOLS_MONITOR_FAMILIES_H
#define PTL_TOOLS_MONITOR_FAMILIES_H

#include <stdbool.h>

/*
 * dl:map stands apart: addresses are named from it, so it is recorded unless
 * it was excluded by name (!dl) or with everything (none).
 */
struct ptl_families {
	unsigned int chosen; /* a bit for each family */
	bool has_maps;	     /* dl:map */
	bool is_given;	     /* by the user: no longer the default */
	bool has_calls;	     /* call, chosen by -l or -r */
	bool names_call;     /* call, chosen by its own name */
};

void ptl_families_init(struct ptl_families *families);

/* The words of a list, each of which can have a ! before it. */
#define PTL_FAMILIES_WORDS \
	"process,thread,signal,file,io,mem,sync,time,net,dl,call,all,none"

/*
 * Adds a list as the user wrote it.  The first list replaces the default; if
 * it begins with an exclusion, all else is meant, as in strace.  Returns false
 * for an unknown family, and changes nothing then.
 */
bool ptl_families_add(struct ptl_families *families, const char *list);

/* Is this system event type to be recorded?  The standard's always are. */
bool ptl_families_want(const struct ptl_families *families,
		       const char *event_name);

#endif
