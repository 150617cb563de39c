/* SPDX-License-Identifier: MIT */
/* What formats that are JSON have in common. */
#ifndef PTL_TOOLS_DUMP_PARTS_JSON_H
#define PTL_TOOLS_DUMP_PARTS_JSON_H

#include "tools/lib/out.h"
#include "tools/model/view.h"

/* The arguments of an event: an object; and its members alone, with contexts,
 * but for those of the list `without', which ends with NULL.  Returns false if
 * there are none. */
void ptl_json_args(struct ptl_out *out, const struct ptl_view *view);
bool ptl_json_members(struct ptl_out *out, const struct ptl_view *view,
		      const char *const *without);

/* The members, a comma before each, for an object that has those of the event
 * as well: a name that it may have is arg_NAME. */
void ptl_json_flat(struct ptl_out *out, const struct ptl_view *view);

/* The contexts of a thread that has some, behind the text `before', without
 * what the event's arguments say.  Returns false, and nothing is put, if that
 * is all. */
bool ptl_json_context(struct ptl_out *out, const char *before,
		      const struct ptl_view *view);

/* The stack of an event: an array of names where they are known, or addresses.
 */
void ptl_json_stack(struct ptl_out *out, const struct ptl_view *view);

/* What ptl_symfile_lines() has found, without the last: an array of those that
 * are inlined. */
void ptl_json_inlined(struct ptl_out *out, const struct ptl_srcline *line,
		      size_t nr);

/*
 * ',"stack_src":["file.c:12",...]', "" where it is not known, and
 * ',"stack_inlined":[[...],...]', [] where nothing is inlined.  Nothing if that
 * is all.
 */
void ptl_json_stack_lines(struct ptl_out *out, const struct ptl_view *view);

#endif
