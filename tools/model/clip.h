/* SPDX-License-Identifier: MIT */
/*
 * A part of a trace, --since and --until: processes are as if they had not
 * lived before it and after it.  What they used in all of their lives is not
 * known of a part.
 */
#ifndef PTL_TOOLS_MODEL_CLIP_H
#define PTL_TOOLS_MODEL_CLIP_H

#include "tools/model/processes.h"

/* All of them from that one on, behind ptl_processes_end(). */
void ptl_clip(struct ptl_process *first, int64_t begin, int64_t end);

#endif
