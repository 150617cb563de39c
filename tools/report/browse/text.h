/* SPDX-License-Identifier: MIT */
/* A text on the whole terminal, until the user has read it. */
#ifndef PTL_TOOLS_REPORT_BROWSE_TEXT_H
#define PTL_TOOLS_REPORT_BROWSE_TEXT_H

/* say() says it, again for each width. */
void ptl_browse_text(const char *title, void (*say)(void *of), void *of);

#endif
