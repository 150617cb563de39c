/* SPDX-License-Identifier: MIT */
/*
 * --when and --do while the trace goes on: what is recorded is given to
 * ptrace-trigger again and again, and what it finds is acted on.  Of a log that
 * is written all the time the new part is flushed; of one that is in memory
 * only (--snapshot) a copy is made.
 */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_FIRING_H
#define PTL_TOOLS_MONITOR_TRIGGER_FIRING_H

#include "tools/monitor/trigger/act.h"
#include "tools/monitor/wire/link.h"

struct ptl_firing {
	int fd; /* of ptrace-trigger; -1: there is none, or it has ended */
	struct ptl_acting acting;
	int memory_fd; /* the copy; -1: there is none */
	bool is_asked; /* to look, and has not answered */
	bool has_more;
	bool has_died;
	uint64_t missed; /* events that were overwritten before a look */
	uint64_t next;	 /* when to look again, ns */
	uint64_t told[PTL_TRIGGERS_MAX]; /* of the firings of this look */
	struct ptl_triggers own;	 /* what acting has, and may change */
	int log_fd;
	bool is_snapshot;
	const char *why_not; /* there can be none; or NULL */
};

/*
 * With the stream there, and before we leave our directory.  `fired' is what
 * the controller before has left.  Returns 0 or the error number, and does
 * nothing if there are no triggers.
 */
int ptl_firing_begin(struct ptl_firing *firing,
		     const struct ptl_triggers *triggers,
		     const struct ptl_subject *subject, int log_fd,
		     bool is_snapshot, struct ptl_fired *fired);

/* Has all looked at that was recorded so far. */
void ptl_firing_catch_up(struct ptl_firing *firing);

/* The triggers have changed: what comes from now on is looked at for them.
 * NULL, or why not. */
const char *ptl_firing_again(struct ptl_firing *firing);

/* The trigger of that number is another one. */
void ptl_firing_count_anew(struct ptl_firing *firing, size_t trigger);

/* How long to wait for other news, in ms; -1: for ever. */
int ptl_firing_timeout(const struct ptl_firing *firing);

/* Acts on what was found, and has more looked at if it is time. */
void ptl_firing_look(struct ptl_firing *firing);

/* Has the rest looked at, for some seconds at most, and ends it. */
void ptl_firing_finish(struct ptl_firing *firing);

/* What there is to say of it. */
void ptl_firing_report(const struct ptl_firing *firing,
		       struct ptl_report_triggers *report);

#endif
