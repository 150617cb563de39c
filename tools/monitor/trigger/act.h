/* SPDX-License-Identifier: MIT */
/* What is done when a trigger fires: all of it by the controller. */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_ACT_H
#define PTL_TOOLS_MONITOR_TRIGGER_ACT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <trace.h>

#include "tools/monitor/trigger/triggers.h"
#include "tools/monitor/wire/requests.h"

/* A snapshot and a command of one trigger follow one another after so long, in
 * ns, or longer. */
#define PTL_DO_PAUSE UINT64_C(1000000000)

/* As many bytes the words of a trigger may have that ptrace-ctl adds. */
#define PTL_TRIGGER_WORDS 4096

/* What became of a trigger since the trace began: as it was then, another one
 * in its place, or forgotten. */
enum {
	PTL_TRIGGER_AS_BEGUN,
	PTL_TRIGGER_ADDED,
	PTL_TRIGGER_FORGOTTEN,
};

struct ptl_trigger_kept {
	atomic_uint state;
	uint32_t size; /* ADDED: the expression and actions, each with a null */
	char words[PTL_TRIGGER_WORDS];
};

/* What the next controller has to know, in memory that they share. */
struct ptl_fired {
	struct ptl_trigger_kept kept[PTL_TRIGGERS_MAX];
	atomic_ullong before; /* firings of triggers that are forgotten */
	atomic_ullong fired[PTL_TRIGGERS_MAX];
	atomic_ullong until;	  /* the newest event that was looked at */
	atomic_bool is_begun;	  /* there was a controller before */
	atomic_bool is_waiting;	  /* for start */
	trace_event_set_t filter; /* of the trace, while it does not wait */
};

struct ptl_acting {
	const struct ptl_triggers *triggers;
	const struct ptl_subject *subject;
	struct ptl_fired *fired;
	unsigned int nr_snapshots; /* that were written */
	int snapshot_error;	   /* of the last that could not be */
	char *snapshot;		   /* the last one; or NULL */
	uint64_t paused_until[PTL_TRIGGERS_MAX];
};

/* What is done: "mark slow, exec notify". */
void ptl_trigger_words(const struct ptl_trigger *trigger, char *buf,
		       size_t size);

/* One event has matched; it is the nr-th of its trigger.  That is recorded, and
 * all that is to be done is. */
void ptl_acting_do(struct ptl_acting *acting, const struct ptl_looked *cause,
		   uint64_t nr);

#endif
