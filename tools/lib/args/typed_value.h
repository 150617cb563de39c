/* SPDX-License-Identifier: MIT */
/* One argument of a call, or its result. */
#ifndef PTL_TOOLS_LIB_ARGS_TYPED_VALUE_H
#define PTL_TOOLS_LIB_ARGS_TYPED_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptl_typed_kind {
	PTL_TYPED_INT,
	PTL_TYPED_UINT,
	PTL_TYPED_FLOAT,
	PTL_TYPED_STRING,
	PTL_TYPED_WORD,	     /* a constant, which has a name */
	PTL_TYPED_STRUCTURE, /* as text, which is there until the next one is */
	PTL_TYPED_ADDRESS,
	PTL_TYPED_MORE, /* it is not known; if it is the last, nor is how many
			 * there are */
};

struct ptl_typed_value {
	enum ptl_typed_kind kind;
	char letter;
	uint64_t value;	    /* INT, UINT, WORD, ADDRESS; STRUCTURE: its place */
	long double number; /* FLOAT */
	const char *bytes;  /* STRING, WORD, STRUCTURE */
	size_t size;
	bool is_cut, is_unreadable;
	const char *name; /* of the parameter, if it has one */
	size_t name_size;
};

/* Sets a value by its letter: an upper part that it does not have may be
 * anything. Then, if it is one of these constants, each `before' NAME=NUMBER:
 * its name. */
void ptl_typed_set(struct ptl_typed_value *value, uint64_t word);
void ptl_typed_set_constant(struct ptl_typed_value *value, const char *constant,
			    char before);

/* The double that has these bits. */
long double ptl_typed_double(int64_t bits);

/* A number of type FLOAT, with as many digits as it takes to tell it from all
 * others of its type.  Not all of them are numbers to JSON. */
#define PTL_TYPED_TEXT 48
void ptl_typed_text(const struct ptl_typed_value *value,
		    char buf[PTL_TYPED_TEXT]);
bool ptl_typed_is_finite(const struct ptl_typed_value *value);

/* A double in JSON: null, if there it is no number. */
const char *ptl_typed_json(double number, char buf[PTL_TYPED_TEXT]);

#endif
