/* SPDX-License-Identifier: MIT */
/*
 * Arguments and results of calls, as preload/hook/typed.h has copied them, by
 * the code of the function's prototype (libptrace-events(7)).  Both are foreign
 * bytes.
 */
#ifndef PTL_TOOLS_LIB_ARGS_TYPED_H
#define PTL_TOOLS_LIB_ARGS_TYPED_H

#include "tools/lib/args/typed_value.h"

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

#endif
