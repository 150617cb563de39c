/* SPDX-License-Identifier: MIT */
/* Colours of text: never the only sign of anything. */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_COLOR_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_COLOR_H

#include "tools/dump/text/text.h"

enum ptl_text_style {
	PTL_TEXT_PLAIN,
	PTL_TEXT_BOLD,
	PTL_TEXT_DIM,
	PTL_TEXT_FAILED,
	PTL_TEXT_WAITED,
};

void ptl_text_escape(struct ptl_text *text, enum ptl_text_style style);

/* What follows looks so, up to the next call. */
static inline void ptl_text_color(struct ptl_text *text,
				  enum ptl_text_style style)
{
	if (text->look->is_colored)
		ptl_text_escape(text, style);
}

#endif
