/* SPDX-License-Identifier: MIT */
/* What a user does with a page: chooses, opens, sorts, searches. */
#ifndef PTL_TOOLS_REPORT_BROWSE_PAGE_H
#define PTL_TOOLS_REPORT_BROWSE_PAGE_H

#include "tools/report/browse/page_lines.h"
#include "tools/report/browse/threads.h"

/* Before it is read again. */
void ptl_page_keep(struct ptl_browse_page *page);
/* After the page was read, also again: what was chosen stays so. */
void ptl_page_take(struct ptl_browse_page *page, bool is_filtered);
void ptl_page_free(struct ptl_browse_page *page);

/* The next view that is there, or the one before it. */
void ptl_page_turn(struct ptl_browse_page *page, bool is_backwards);

/* By the next column, or the one before it. */
void ptl_page_sort(struct ptl_browse_page *page, bool is_backwards);

/* What the chosen row is about; NULL if it is something else, or nothing. */
const struct ptl_process *ptl_page_process(struct ptl_browse_page *page);
const struct ptl_browse_thread *ptl_page_thread(struct ptl_browse_page *page);

/* So many lines down, or up. */
void ptl_page_move(struct ptl_browse_page *page, long lines);

/* Opens or closes the chosen process, or its parent, or all. */
bool ptl_page_open(struct ptl_browse_page *page, bool is_open);
void ptl_page_toggle(struct ptl_browse_page *page);
void ptl_page_toggle_all(struct ptl_browse_page *page);

/* Goes to the next line with these words; returns false if there is none. */
bool ptl_page_search(struct ptl_browse_page *page, const char *words,
		     bool is_backwards);

/* After the terminal got another size. */
void ptl_page_resized(struct ptl_browse_page *page);

/* All but the first line and the last one. */
void ptl_page_draw(struct ptl_browse_page *page);

#endif
