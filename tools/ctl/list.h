/* SPDX-License-Identifier: MIT */
/* ptrace-ctl list. */
#ifndef PTL_TOOLS_CTL_LIST_H
#define PTL_TOOLS_CTL_LIST_H

#include "tools/ctl/trace.h"

/* One trace a line, for people, below a heading; or as JSON. */
void ptl_list_heading(void);
void ptl_list_text(const struct ptl_trace *trace);
void ptl_list_json(const struct ptl_trace *trace);

#endif
