/* SPDX-License-Identifier: MIT */
/*
 * What the descriptors of calls stand for (--decode-fds), as ptrace-report
 * --files knows it: by all events of their processes before.
 */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_PATHS_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_PATHS_H

#include "tools/model/model.h"

void ptl_text_paths_begin(bool is_wanted);
void ptl_text_paths_end(void);

/* Each event once, in order, before it is shown; those that are not, too. */
void ptl_text_paths_learn(const struct ptl_step *step);

/* What the argument of the event that was learned of last stands for; NULL: it
 * is no descriptor, or that is not known. */
const char *ptl_text_paths_of(const struct ptl_view *view,
			      const struct ptl_arg *arg);

#endif
