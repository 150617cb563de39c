/* SPDX-License-Identifier: MIT */
/* --align: the clocks of several hosts corrected by what the logs say of them,
 * which are read once for it. */
#ifndef PTL_TOOLS_REPORT_ALIGN_H
#define PTL_TOOLS_REPORT_ALIGN_H

#include "tools/read/merge.h"

/* Of logs none of which was read yet; says by how much, and how sure that is.
 */
void ptl_report_align(struct ptl_merge *merge);

#endif
