/* SPDX-License-Identifier: MIT */
/*
 * What a thread has said of itself at a slice (tools/model/contexts.h): all of
 * it is one text, in which each NAME=VALUE ends with a null.
 */
#ifndef PTL_TOOLS_PAGE_CONTEXTS_H
#define PTL_TOOLS_PAGE_CONTEXTS_H

#include "tools/model/model.h"
#include "tools/page/texts.h"

/* The number of what there is at the event; 0: nothing. */
uint32_t ptl_page_contexts_learn(struct ptl_texts *texts,
				 const struct ptl_step *step);

#endif
