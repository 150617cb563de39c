/* SPDX-License-Identifier: MIT */
/* An event ready to be shown: decoded, with the names of its addresses. */
#ifndef PTL_TOOLS_MODEL_VIEW_H
#define PTL_TOOLS_MODEL_VIEW_H

#include "tools/read/filter/filter.h"
#include "tools/read/source.h"
#include "tools/symbolize/symbols.h"

struct ptl_view {
	struct ptl_source *source;
	const struct posix_trace_event_info *event;
	const struct ptl_type *type;
	const char *data;
	size_t data_size;
	struct ptl_symfile *file; /* that its address is in, or NULL */
	uint64_t offset;     /* there, as of a return address; or the address */
	const char *sym;     /* or NULL */
	const char *program; /* that the process runs, or NULL: not known */
	int rank;	     /* of its process; -1: not known */
	int64_t duration;    /* ns; -1: not known */
	enum ptl_outcome outcome;
	bool is_short;	  /* there are fields beyond the data */
	bool is_doubtful; /* half of a call: shown if the other half is */
	struct ptl_args args;
	const struct ptl_args *context; /* of its thread; or NULL */
	const struct ptl_tag *tags;	/* of its process, the first; or NULL */
};

/* The current event of the source, with what its data say. */
void ptl_view_decode(struct ptl_view *view, struct ptl_source *source);

/* Of a span:begin alone: its arguments by its data, those of the program by the
 * fields of the span's type, unless one of these is called as ours are. */
void ptl_view_span(struct ptl_view *view);

/* And with what earlier ones do.  Returns false if the filter does not let it
 * pass. */
bool ptl_view_describe(struct ptl_view *view, const struct ptl_filter *filter);

/* What an expression is asked of it; all but since_first. */
void ptl_view_ask(const struct ptl_view *view, struct ptl_where_event *event);

/* The contexts of its thread but for those that its own arguments say: *at is 0
 * at first, NULL behind the last. */
const struct ptl_arg *ptl_view_context(const struct ptl_view *view,
				       unsigned int *at);

/* Is something of the event missing? */
bool ptl_view_is_cut(const struct ptl_view *view);

/* What ptl_symfile_lines() finds for its address; where a thread begins nothing
 * inlined has been called yet: there it is the function alone. */
size_t ptl_view_lines(const struct ptl_view *view,
		      const struct ptl_srcline **line);

/* A frame of the call stack. */
struct ptl_view_frame {
	uint64_t address;
	struct ptl_symfile *file; /* that it is in, or NULL */
	uint64_t offset;	  /* there, as of a return address */
	bool is_entry;		  /* of a thread: it is none */
};

/* The innermost frame is 0. */
struct ptl_view_frame ptl_view_frame(const struct ptl_view *view, size_t i);

/* "function+0x1c (module)", or NULL; and its lines, as ptl_view_lines().  Both
 * valid until those of another one are looked up. */
const char *ptl_view_frame_name(const struct ptl_view_frame *frame);
size_t ptl_view_frame_lines(const struct ptl_view_frame *frame,
			    const struct ptl_srcline **line);

#endif
