/* SPDX-License-Identifier: MIT */
/*
 * Arguments and results of calls, as preload/hook/typed.h has copied them, by
 * the code of the function's prototype (libptrace-events(7)).  Both are foreign
 * bytes.
 */
#ifndef PTL_TOOLS_LIB_ARGS_TYPED_H
#define PTL_TOOLS_LIB_ARGS_TYPED_H

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
	uint64_t value;	    /* INT, UINT, WORD, ADDRESS */
	long double number; /* FLOAT */
	const char *bytes;  /* STRING, WORD, STRUCTURE */
	size_t size;
	bool is_cut;
	const char *name; /* of the parameter, if it has one */
	size_t name_size;
};

struct ptl_typed_walk {
	const char *code; /* of what is still to come */
	const char *end;
	const char *names; /* likewise */
	bool is_result;
	const char *word, *string; /* where the next of each is */
	size_t words, strings;	   /* bytes that are left of each */
};

/* code: of a function; NULL: nothing is known. */
void ptl_typed_arguments(struct ptl_typed_walk *walk, const char *code,
			 const char *bytes, size_t size);
void ptl_typed_result(struct ptl_typed_walk *walk, const char *code,
		      const char *bytes, size_t size);

/* The next value; false: there is none. */
bool ptl_typed_next(struct ptl_typed_walk *walk, struct ptl_typed_value *value);

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
