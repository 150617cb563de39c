/* SPDX-License-Identifier: MIT */
/*
 * Macros in declarations, of a text that no preprocessor has seen: types that
 * are defined in it, and words that stand beside a type or behind a function
 * (API int f(void) DEPRECATED("");), which are passed over.
 */
#ifndef PTL_TOOLS_PROTOTYPES_MACROS_H
#define PTL_TOOLS_PROTOTYPES_MACROS_H

#include "tools/prototypes/parse.h"

/* The types that the text defines: #define NAME long long.  One that it defines
 * in several ways is not known. */
void ptl_macros_define(struct ptl_parse *parse, const char *text, size_t size);

/* Where specifiers of a type may begin, or behind a function.  False: there is
 * no macro. */
bool ptl_macros_skip_before(struct ptl_prototype_cursor *cursor);
bool ptl_macros_skip_behind(struct ptl_prototype_cursor *cursor);

#endif
