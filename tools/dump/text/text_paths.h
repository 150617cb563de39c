/* SPDX-License-Identifier: MIT */
/*
 * What the descriptors of calls stand for (--decode-fds), as ptrace-report
 * --files knows it: by all events of their processes before.
 */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_PATHS_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_PATHS_H

#include "tools/read/merge.h"
#include "tools/read/view.h"

/* NULL: nobody wants to know. */
void ptl_text_paths_begin(struct ptl_merge *merge);
void ptl_text_paths_end(void);

/* Each event once, in order, before it is shown; those that are not, too. */
void ptl_text_paths_learn(const struct ptl_view *view);

/* What the argument of the event that was learned of last stands for; NULL: it
 * is no descriptor, or that is not known. */
const char *ptl_text_paths_of(const struct ptl_view *view,
			      const struct ptl_arg *arg);

#endif
