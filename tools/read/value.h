/* SPDX-License-Identifier: MIT */
/*
 * The arguments of an event as values of a few kinds, whatever they were
 * recorded as: what all formats but text show.
 */
#ifndef PTL_TOOLS_READ_VALUE_H
#define PTL_TOOLS_READ_VALUE_H

#include "tools/lib/args/typed.h"
#include "tools/lib/args/words.h"
#include "tools/read/source.h"

enum ptl_value_kind {
	PTL_VALUE_INT,
	PTL_VALUE_UINT,
	PTL_VALUE_FLOAT,
	PTL_VALUE_BOOL,
	PTL_VALUE_TEXT,
	PTL_VALUE_ADDRESS,
	PTL_VALUE_BYTES,
	PTL_VALUE_UNKNOWN, /* there is one, and it was not recorded */
	PTL_VALUE_LIST,	   /* of values of the other kinds */
};

struct ptl_value {
	enum ptl_value_kind kind;
	uint64_t number;	     /* INT, UINT, BOOL, ADDRESS */
	struct ptl_typed_value real; /* FLOAT */
	const char *bytes;	     /* TEXT, BYTES; not null-terminated */
	size_t size;
};

/* Words go into buf. */
void ptl_value_of(struct ptl_value *value, const struct ptl_arg *arg,
		  char buf[PTL_WORDS_MAX]);

/* Walks a LIST.  Types that the log does not name are not in a set. */
struct ptl_value_walk {
	struct ptl_source *source;
	const struct ptl_arg *arg;
	size_t at;
	trace_event_id_t id;
	struct ptl_typed_walk typed;
};

void ptl_value_begin(struct ptl_value_walk *walk, struct ptl_source *source,
		     const struct ptl_arg *list);
bool ptl_value_next(struct ptl_value_walk *walk, struct ptl_value *value);

#endif
