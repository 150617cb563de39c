/* SPDX-License-Identifier: MIT */
/* What formats that are JSON have in common. */
#ifndef PTL_TOOLS_DUMP_JSON_H
#define PTL_TOOLS_DUMP_JSON_H

#include "tools/lib/out.h"
#include "tools/read/view.h"

/* The arguments of an event: an object; and its members alone, a comma behind
 * each. */
void ptl_json_args(struct ptl_out *out, const struct ptl_view *view);
void ptl_json_members(struct ptl_out *out, const struct ptl_view *view);

/* The stack of an event: an array of names where they are known, or addresses.
 */
void ptl_json_stack(struct ptl_out *out, const struct ptl_view *view);

/* ',"stack_src":["file.c:12",...]', "" where it is not known.  Nothing if
 * nothing is known. */
void ptl_json_stack_sources(struct ptl_out *out, const struct ptl_view *view);

#endif
