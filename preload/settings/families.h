/* SPDX-License-Identifier: MIT */
/* Which families of system events to record: -e, PTRACE_EVENTS. */
#ifndef PTL_PRELOAD_SETTINGS_FAMILIES_H
#define PTL_PRELOAD_SETTINGS_FAMILIES_H

#include "core/base.h"

#include "preload/settings/choice.h"

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
	FAMILY(cpu) \
	FAMILY(sched) \
	FAMILY(call)

/* The words of a list; each may have a ! before it.  Calls and strace's classes
 * are words, too. */
#define PTL_FAMILIES_WORD(name) #name ","
#define PTL_FAMILIES_WORDS PTL_FAMILIES(PTL_FAMILIES_WORD) "all,none"
#define PTL_FAMILIES_DEFAULT "process,thread"
/* What libc is called for. */
#define PTL_FAMILIES_CALLS "file,io,mem,sync,time,net,dl"

/*
 * Some are exceptions.  Samples (cpu), and when threads did not run (sched),
 * cost time, and need a permission: they are recorded only if they are asked
 * for by that name, or by --sample and --sched.  To see
 * crashes needs signal handlers in the program, so signal:crash is recorded
 * only if its family is chosen by name (signal), or
 * --crash asks for it.  Addresses get their names from dl:map, and processes
 * from process:program.  Each is recorded unless its family was excluded by
 * name
 * (!dl, !process) or with everything (none).
 */
struct ptl_families {
	uint32_t chosen; /* a bit for each family */
	/* Types that are recorded though their family is not; or not though it
	 * is. */
	struct ptl_choice also, except;
	bool has_maps;	 /* dl:map and dl:unmap */
	bool has_names;	 /* process:program */
	bool is_given;	 /* by the user: no longer the default */
	bool names_call; /* call, chosen by its own name */
	bool has_crash;	 /* signal:crash: signal, chosen by its own name */
};

void ptl_families_init(struct ptl_families *families);

/*
 * Adds a list as the user wrote it.  The first list replaces the default,
 * unless it begins with a +; if it begins with an exclusion, it means
 * everything else, as in strace.  Returns false for an unknown word, and then
 * changes nothing.
 */
bool ptl_families_add(struct ptl_families *families, const char *list);

/* Is the word a pattern of probes, "sdt:PROVIDER:NAME", behind which it may be
 * said which arguments are addresses of strings, "(s-s)"?  Probes are of no
 * family: their events are the program's own. */
#define PTL_FAMILIES_PROBE "sdt:"
bool ptl_families_is_probe(const char *word, size_t size);

/* The first word of a list that is unknown, or NULL. */
const char *ptl_families_wrong(const char *list, size_t *size);

/* Is any type of that family to be recorded? */
bool ptl_families_have(const struct ptl_families *families, const char *family);

/*
 * Is this system event type to be recorded?  The types of the standard always
 * are; those of the family call are also recorded if functions were named (-l,
 * -r).
 */
bool ptl_families_want(const struct ptl_families *families, bool has_calls,
		       const char *event_name);

#endif
