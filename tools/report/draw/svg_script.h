/* SPDX-License-Identifier: MIT */
/* The style of a picture, and the script that zooms and searches in it. */
#ifndef PTL_TOOLS_REPORT_DRAW_SVG_SCRIPT_H
#define PTL_TOOLS_REPORT_DRAW_SVG_SCRIPT_H

extern const char ptl_svg_style[], ptl_svg_script[];

#endif
