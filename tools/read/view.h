/* SPDX-License-Identifier: MIT */
/* An event ready to be shown: decoded, with the names of its addresses. */
#ifndef PTL_TOOLS_READ_VIEW_H
#define PTL_TOOLS_READ_VIEW_H

#include "tools/read/filter.h"
#include "tools/read/source.h"

struct ptl_view {
	struct ptl_source *source;
	const struct posix_trace_event_info *event;
	const struct ptl_type *type;
	const char *data;
	size_t data_size;
	struct ptl_symfile *file; /* that its address is in, or NULL */
	uint64_t offset;  /* there, as of a return address; or the address */
	const char *sym;  /* or NULL */
	int64_t duration; /* ns; -1: not known */
	bool is_short;	  /* there are fields beyond the data */
	bool is_doubtful; /* half of a call: shown if the other half is */
	struct ptl_args args;
};

/*
 * The current event of the source.  Returns false if the filter does not let
 * it pass; what later events need to know of it is learned from it even so.
 */
bool ptl_view_event(struct ptl_view *view, struct ptl_source *source,
		    struct ptl_filter *filter);

/* "function+0x1c (module)" for a frame of the call stack, the innermost being
 * 0; or NULL.  Valid until the next call. */
const char *ptl_view_frame(const struct ptl_view *view, size_t i);

/* What to look up for the line of that frame, or of the event's own place as
 * its innermost: the address behind a call, or in a thread's first function. */
static inline uint64_t ptl_view_line(const struct ptl_view *view,
				     uint64_t address, bool is_innermost)
{
	return address +
	       (is_innermost && view->type->kind == PTL_KIND_THREAD_START);
}

/* The id of the next type after `id' that the set has and the log names. */
trace_event_id_t ptl_view_next_in_set(struct ptl_source *source,
				      const struct ptl_arg *set,
				      trace_event_id_t id);

#endif
