/* SPDX-License-Identifier: MIT */
/* ptrace-ctl triggers. */
#ifndef PTL_TOOLS_CTL_TRIGGERS_H
#define PTL_TOOLS_CTL_TRIGGERS_H

#include <stdbool.h>

#include "tools/lib/talk.h"

/* Of what a controller says: a trigger a line, below a heading; or as JSON. */
void ptl_triggers_show(const struct ptl_talk *reply, bool is_json);

#endif
