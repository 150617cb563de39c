/* SPDX-License-Identifier: MIT */
/*
 * How much memory a process has from malloc() and its kin, by the events of the
 * family mem.  What is kept grows with the number of blocks at once.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_LIVE_H
#define PTL_TOOLS_DUMP_EXPORT_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/model/view.h"

struct ptl_live;

/*
 * Takes an event of the process, in order.  Returns whether it changes the sum,
 * which is *bytes then: of blocks that the program got since it started, or
 * since the process was forked.  *live is NULL at first.
 */
bool ptl_live_take(struct ptl_live **live, const struct ptl_view *view,
		   uint64_t *bytes);
void ptl_live_free(struct ptl_live *live);

#endif
