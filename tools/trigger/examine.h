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
#include "tools/trigger/recent.h"

/* Of copies: how many events there were, and how many of them are new. */
struct ptl_examined_memory {
	bool is_known;
	uint64_t total;	 /* that memory has and had, by the look before */
	uint64_t missed; /* in all looks before */
	uint64_t before; /* present in the look before */
	uint64_t present, fresh;
	uint64_t fired; /* that this look told of, and the one before: */
	uint64_t told;	/* each becomes an event */
};

struct ptl_examined {
	const char *path; /* of the log */
	bool is_copied;	  /* it is another at each look */
	pid_t controller; /* whose events are not looked at */
	struct ptl_where *where[PTL_TRIGGERS_MAX];
	size_t nr;
	/* Returns whether it is told. */
	bool (*fired)(void *to, size_t i, const struct ptl_step *step);
	void *to;
	/* When the newest event was over that was looked at; and that another
	 * controller has seen before, up to which events are passed over. */
	uint64_t until, before;
	bool passes_over;
	struct ptl_recent recent; /* of copies */
	struct ptl_examined_memory held;
	int64_t missed; /* of the last look; below 0: that many fewer before */
	bool is_open;
	struct ptl_merge merge;
	struct ptl_model model;
	struct ptl_filter filter;
};

/* What has come since the last look.  True: there is more; that is of another
 * look, for a log can grow faster than it is read. */
bool ptl_examine(struct ptl_examined *examined);

#endif
