/* SPDX-License-Identifier: MIT */
/*
 * What a page shows of an event besides its name and times: its arguments, as a
 * text with numbers.  Large numbers are not in the text, so that most texts
 * repeat: a sign stands for each, and the numbers follow.
 */
#ifndef PTL_TOOLS_PAGE_DETAIL_H
#define PTL_TOOLS_PAGE_DETAIL_H

#include "tools/model/view.h"

#define PTL_DETAIL_NUMBERS 32

/* The signs; strings have no control characters. */
#define PTL_DETAIL_DECIMAL '\1'
#define PTL_DETAIL_HEX '\2'

struct ptl_detail {
	const char *text; /* not null-terminated; valid until the next one */
	size_t size;
	unsigned int nr;
	int64_t number[PTL_DETAIL_NUMBERS];
};

/* Of the event; in front of it, what began it, or NULL. */
void ptl_detail_make(struct ptl_detail *detail, const struct ptl_view *view,
		     const struct ptl_detail *before);

#endif
