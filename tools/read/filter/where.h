/* SPDX-License-Identifier: MIT */
/*
 * Which events the user wants to see, by what is in them: -w EXPR.
 *
 *	path ~ "*.cfg" && ret < 0 && dur > 1ms && program == "cc1"
 *
 * A test is FIELD OP VALUE, or a FIELD alone, which is there and neither 0 nor
 * empty.  An event that does not have the field fails every test of it.  What
 * has several values passes if one of them does.  The result of a call that
 * returns a pointer counts as -1 if it failed: ret < 0 means the same of all.
 */
#ifndef PTL_TOOLS_READ_FILTER_WHERE_H
#define PTL_TOOLS_READ_FILTER_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/read/type.h"
#include "tools/read/filter/where_parse.h"

/* What a process has said of itself (posix_trace_set_tag_np()). */
struct ptl_tag {
	struct ptl_tag *next; /* in the order in which they came */
	const char *key, *value;
};

/* What an event is asked for. */
struct ptl_where_event {
	const struct ptl_type *type;
	const struct posix_trace_event_info *event;
	const struct ptl_args *args;
	const struct ptl_args *context;	  /* or NULL */
	const struct ptl_tag *tags;	  /* the first; or NULL */
	const char *host, *program, *sym; /* or NULL */
	const char *text; /* of a program's own event without fields, or NULL */
	size_t text_size;
	int rank;	     /* -1: not known */
	int64_t duration;    /* ns; -1: not known */
	int64_t since_first; /* ns */
	enum ptl_outcome outcome;
};

bool ptl_where_matches(const struct ptl_where *where,
		       const struct ptl_where_event *event);

/* A field that no event had so far, or NULL: it may be mistyped. */
const char *ptl_where_unseen(const struct ptl_where *where);

#endif
