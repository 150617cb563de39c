/* SPDX-License-Identifier: MIT */
/* The events of a log that is being written, and which of them an expression
 * matches. */
#ifndef PTL_TOOLS_TRIGGER_EXAMINE_H
#define PTL_TOOLS_TRIGGER_EXAMINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/model/model.h"
#include "tools/monitor/wire/looked.h"
#include "tools/read/filter/where_parse.h"

/* Of copies: how many events there were, and how many of them are new. */
struct ptl_examined_memory {
	bool is_known;
	uint64_t total; /* that memory has and had, by the look before */
	uint64_t present, fresh;
	uint64_t fired; /* by this look, and the one before: each becomes */
	uint64_t told;	/* an event when it is told */
};

struct ptl_examined {
	const char *path; /* of the log */
	bool is_copied;	  /* it is another at each look */
	pid_t controller; /* whose events are not looked at */
	struct ptl_where *where[PTL_TRIGGERS_MAX];
	size_t nr;
	void (*fired)(void *to, size_t i, const struct ptl_step *step);
	void *to;
	/* The time of the newest event that was looked at; events up to then
	 * are passed over after another controller, and in each copy. */
	uint64_t until, before;
	bool passes_over;
	struct ptl_examined_memory held;
	uint64_t missed; /* of the last look */
	bool is_open;
	struct ptl_merge merge;
	struct ptl_model model;
	struct ptl_filter filter;
};

/* What has come since the last look.  True: there is more; that is of another
 * look, for a log can grow faster than it is read. */
bool ptl_examine(struct ptl_examined *examined);

#endif
