/* SPDX-License-Identifier: MIT */
/* The tree of processes, as much of it as fits on a page. */
#ifndef PTL_TOOLS_REPORT_VIEW_TREE_H
#define PTL_TOOLS_REPORT_VIEW_TREE_H

#include "tools/model/model.h"

/* Prints it: at most 20 lines, three deep, children of one program folded. */
void ptl_tree_print(const struct ptl_model *model);

#endif
