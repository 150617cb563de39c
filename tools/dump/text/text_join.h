/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions: the events of their begin and their end are one line,
 * which stands at the begin.
 */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_JOIN_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_JOIN_H

#include "tools/dump/text/text.h"
#include "tools/model/model.h"

/* text->out is where it all goes, in the end. */
void ptl_join_begin(struct ptl_text *text, struct ptl_model *model);
/* Shows the event: at once, or when all of it is known. */
void ptl_join_event(const struct ptl_step *step);
/* There are no more events: who has not returned so far will not. */
void ptl_join_end(void);

#endif
