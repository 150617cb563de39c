/* SPDX-License-Identifier: MIT */
/* svg.xml with svg.css and svg.js in it: what is before the boxes, behind the
 * tag of the picture itself, and what is behind them.  Made by embed.awk. */
#ifndef PTL_TOOLS_REPORT_DRAW_SVG_TEMPLATE_H
#define PTL_TOOLS_REPORT_DRAW_SVG_TEMPLATE_H

extern const char ptl_svg_head[], ptl_svg_tail[];

#endif
