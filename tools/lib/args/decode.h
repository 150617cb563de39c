/* SPDX-License-Identifier: MIT */
/*
 * The data of an event as named arguments.  Their layout comes from
 * posix_trace_eventid_get_fields_np(), or from the standard for its own types.
 * The data are foreign bytes and may be cut: only whole values are decoded.
 */
#ifndef PTL_TOOLS_LIB_ARGS_DECODE_H
#define PTL_TOOLS_LIB_ARGS_DECODE_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

#include "tools/lib/args/arg.h"

#define PTL_DECODE_NAME 32

struct ptl_layout {
	unsigned int nr_fields;
	bool depends;	/* what one field means depends on others */
	bool is_marked; /* one is a gauge or a counter */
	bool has_context;
	struct {
		char type;
		enum ptl_arg_mark mark;
		const struct ptl_words *words; /* what follows a dot */
		char name[PTL_DECODE_NAME];
		unsigned char plain; /* its size, if it needs no quotes */
	} field[PTL_ARGS];
};

/* A word that is not understood ends the layout. */
void ptl_layout_parse(struct ptl_layout *layout, const char *fields);

/* The layout of one of the standard's own event types; empty for all others. */
const char *ptl_layout_standard(trace_event_id_t id);

void ptl_decode(const struct ptl_layout *layout, const void *data, size_t size,
		struct ptl_args *args);

/*
 * Walks the strings of a STRINGS argument: *at is 0 at first.  Returns false
 * at the end.
 */
bool ptl_decode_next(const struct ptl_arg *arg, size_t *at,
		     struct ptl_arg *string);

/* The argument of that name, or NULL. */
const struct ptl_arg *ptl_decode_find(const struct ptl_args *args,
				      const char *name);

/* A word that is not in the data; NULL: there is none. */
struct ptl_named_word {
	const char *name, *word;
	size_t size; /* of the word */
	unsigned char name_size;
};

/* The name is a constant, and needs no quotes. */
#define PTL_NAMED_WORD(name, word, size) \
	((struct ptl_named_word){(name), (word), (size), sizeof(name) - 1})

/* Makes two words arguments number `at' and the next, as far as there are such
 * words, and room for other arguments. */
void ptl_decode_insert(struct ptl_args *args, unsigned int at,
		       struct ptl_named_word first,
		       struct ptl_named_word second);

#endif
