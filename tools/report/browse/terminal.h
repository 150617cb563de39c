/* SPDX-License-Identifier: MIT */
/*
 * The whole terminal, by ncurses.  Whatever ends us, it is left as it was; what
 * is said on standard error meanwhile comes then.
 */
#ifndef PTL_TOOLS_REPORT_BROWSE_TERMINAL_H
#define PTL_TOOLS_REPORT_BROWSE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Smaller ones show nothing but that they are. */
#define PTL_TERMINAL_COLUMNS 40
#define PTL_TERMINAL_ROWS 10

/* What a key is, if it is no character. */
enum ptl_key {
	PTL_KEY_NONE = 256, /* nothing came in time */
	PTL_KEY_END,	    /* a signal ends us: this comes again and again */
	PTL_KEY_RESIZED,    /* and all is to be drawn anew */
	PTL_KEY_UP,
	PTL_KEY_DOWN,
	PTL_KEY_LEFT,
	PTL_KEY_RIGHT,
	PTL_KEY_PAGE_UP,
	PTL_KEY_PAGE_DOWN,
	PTL_KEY_HOME,
	PTL_KEY_LAST,
	PTL_KEY_ENTER,
	PTL_KEY_BACK,
	PTL_KEY_ESCAPE,
	PTL_KEY_TAB,
	PTL_KEY_TAB_BACK,
};

enum ptl_line_style {
	PTL_STYLE_PLAIN,
	PTL_STYLE_CHOSEN,
	PTL_STYLE_BAR,
	PTL_STYLE_HEADING,
};

/* Says why there is none, and returns false. */
bool ptl_terminal_open(bool wants_color);
void ptl_terminal_close(void);

/* If a signal ended us: does so. */
void ptl_terminal_end(void);

size_t ptl_terminal_rows(void);
size_t ptl_terminal_columns(void);

/* The next key; ms < 0: waits for ever. */
int ptl_terminal_key(int ms);

/* While there is work: does the user want it to end? */
bool ptl_terminal_is_broken_off(void);

/* A line with codes of colours, cut to the width; `row' counts from 0. */
void ptl_terminal_put(size_t row, const char *line, size_t size,
		      enum ptl_line_style style);

/* Shows what was put, with the cursor there; no cursor: SIZE_MAX. */
void ptl_terminal_show(size_t row, size_t column);

/* Another program has it, until it is taken back; the third is for the child
 * that executes it. */
void ptl_terminal_lend(void);
void ptl_terminal_take_back(void);
void ptl_terminal_child(void);

#endif
