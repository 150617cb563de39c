/* SPDX-License-Identifier: MIT */
/*
 * The data of an event as named arguments.  Their layout comes from
 * posix_trace_eventid_get_fields_np(), or from the standard for its own types.
 * The data are foreign bytes and may be cut: only whole values are decoded.
 */
#ifndef PTL_TOOLS_LIB_DECODE_H
#define PTL_TOOLS_LIB_DECODE_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_DECODE_ARGS 16
#define PTL_DECODE_NAME 32

/* Those of <trace.h>, and some of our own. */
enum ptl_arg_type {
	PTL_ARG_INT = 'i',
	PTL_ARG_HEX = 'x',
	PTL_ARG_STRING = 's',
	PTL_ARG_STRINGS = 'v',
	PTL_ARG_BYTES = 'b',
	PTL_ARG_C_INT = 'n',	/* an int of the machine */
	PTL_ARG_EVENTSET = 'e', /* a trace_event_set_t */
	PTL_ARG_WORD = 'w',	/* a string that seldom needs quotes */
};

struct ptl_words;

struct ptl_layout {
	unsigned int nr_fields;
	struct {
		char type;
		const struct ptl_words *words; /* what follows a dot */
		char name[PTL_DECODE_NAME];
	} field[PTL_DECODE_ARGS];
};

struct ptl_arg {
	const char *name;
	enum ptl_arg_type type;
	const struct ptl_words *words; /* how to show it, or NULL */
	int64_t value;		       /* INT, HEX, C_INT */
	const char *bytes;	       /* the others; not null-terminated */
	size_t size;
	bool is_cut; /* the string was cut */
};

/* A word that is not understood ends the layout. */
void ptl_layout_parse(struct ptl_layout *layout, const char *fields);

/* The layout of one of the standard's own event types; empty for all others. */
const char *ptl_layout_standard(trace_event_id_t id);

/* Returns the number of arguments found, at most PTL_DECODE_ARGS. */
unsigned int ptl_decode(const struct ptl_layout *layout, const void *data,
			size_t size, struct ptl_arg *args);

/*
 * Walks the strings of a STRINGS argument: *at is 0 at first.  Returns false
 * at the end.
 */
bool ptl_decode_next(const struct ptl_arg *arg, size_t *at,
		     struct ptl_arg *string);

/* The argument of that name, or NULL. */
const struct ptl_arg *ptl_decode_find(const struct ptl_arg *args,
				      unsigned int nr_args, const char *name);

#endif
