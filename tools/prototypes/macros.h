/* SPDX-License-Identifier: MIT */
/*
 * Macros in declarations, of a text that no preprocessor has seen: types that
 * are defined in it, and words that stand beside a type or behind a function
 * (API int f(void) DEPRECATED("");), which are passed over.
 */
#ifndef PTL_TOOLS_PROTOTYPES_MACROS_H
#define PTL_TOOLS_PROTOTYPES_MACROS_H

#include "tools/prototypes/cursor.h"
#include "tools/prototypes/type.h"

struct ptl_macros {
	struct ptl_prototypes *table;
	struct ptl_c_type **types; /* all that were made */
	bool quad;		   /* long double has 128 bits */
};

/* The types that the text defines: #define NAME long long.  One that it defines
 * in several ways is not known. */
void ptl_macros_define(const struct ptl_macros *macros, const char *text,
		       size_t size);

/* Where specifiers of a type may begin, or behind a function.  False: there is
 * no macro. */
bool ptl_macros_skip_before(struct ptl_prototypes *table,
			    struct ptl_prototype_cursor *cursor);
bool ptl_macros_skip_behind(struct ptl_prototypes *table,
			    struct ptl_prototype_cursor *cursor);

#endif
