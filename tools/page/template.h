/* SPDX-License-Identifier: MIT */
/* page.html with page.css and page.js in it: what is before the data, and what
 * is behind them.  Made by embed.awk. */
#ifndef PTL_TOOLS_PAGE_TEMPLATE_H
#define PTL_TOOLS_PAGE_TEMPLATE_H

extern const char ptl_template_head[], ptl_template_tail[];

#endif
