/* SPDX-License-Identifier: MIT */
/* How values look in both formats that are read as they are: text and raw. */
#ifndef PTL_TOOLS_DUMP_PARTS_SHOWN_H
#define PTL_TOOLS_DUMP_PARTS_SHOWN_H

#include "tools/lib/out.h"
#include "tools/lib/args/typed.h"
#include "tools/read/source.h"

/* A set can be thousands of types: the first few by name, then how many. */
void ptl_shown_set(struct ptl_out *out, struct ptl_source *source,
		   const struct ptl_arg *set);

/* Any but a string; dots: further ones, which were not recorded. */
void ptl_shown_typed(struct ptl_out *out, const struct ptl_typed_value *value,
		     const char *dots);

/* "NAME=", if the parameter has one. */
void ptl_shown_name(struct ptl_out *out, const struct ptl_typed_value *value);

#endif
