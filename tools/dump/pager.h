/* SPDX-License-Identifier: MIT */
/* What is longer than the terminal goes through a pager: $PAGER, or less. */
#ifndef PTL_TOOLS_DUMP_PAGER_H
#define PTL_TOOLS_DUMP_PAGER_H

/* From here on standard output is the pager, unless none is wanted. */
void ptl_pager_begin(void);
/* Waits for it: the user may still be reading. */
void ptl_pager_end(void);

#endif
