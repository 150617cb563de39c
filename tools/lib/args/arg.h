/* SPDX-License-Identifier: MIT */
/* A named argument of an event, and how to show it. */
#ifndef PTL_TOOLS_LIB_ARGS_ARG_H
#define PTL_TOOLS_LIB_ARGS_ARG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_ARGS 16

/* The types of <trace.h>, and some of our own. */
enum ptl_arg_type {
	PTL_ARG_INT = 'i',
	PTL_ARG_HEX = 'x',
	PTL_ARG_STRING = 's',
	PTL_ARG_STRINGS = 'v',
	PTL_ARG_BYTES = 'b',
	PTL_ARG_REST = 'h',  /* up to the end; then BYTES */
	PTL_ARG_DATA = 'd',  /* what was read or written; then a STRING */
	PTL_ARG_FLOAT = 'f', /* a double, in value */
	/* Arguments of a function, and its result: tools/lib/args/typed.h. */
	PTL_ARG_ARGUMENTS = 'a',
	PTL_ARG_RESULT = 'r',
	PTL_ARG_SIZED = 'A',	/* ARGUMENTS, with their size before them */
	PTL_ARG_C_INT = 'n',	/* an int of the machine */
	PTL_ARG_EVENTSET = 'e', /* a trace_event_set_t, or its beginning */
	PTL_ARG_WORD = 'w',	/* a string that seldom needs quotes */
};

/* What a value is, by the word after the dot in its field's type. */
enum ptl_arg_mark {
	PTL_ARG_UNMARKED,
	PTL_ARG_GAUGE,	 /* how much there is, until the next */
	PTL_ARG_COUNTER, /* how much more there is */
	PTL_ARG_CONTEXT, /* so it is from now on: tools/model/contexts.h */
};

struct ptl_words;

struct ptl_arg {
	const char *name;
	enum ptl_arg_type type;
	enum ptl_arg_mark mark;
	const struct ptl_words *words; /* how to show it, or NULL */
	int64_t value;		       /* INT, HEX, C_INT, FLOAT */
	const char *code;	       /* ARGUMENTS, RESULT: the prototype's */
	const char *bytes;	       /* the others; not null-terminated */
	size_t size;
	unsigned char plain; /* the size of a name that needs no quotes; or 0 */
	bool is_cut;	     /* the string was cut */
	bool is_data;	     /* the string is what a call read or wrote */
};

struct ptl_args {
	unsigned int nr;
	struct ptl_arg arg[PTL_ARGS];
};

#endif
