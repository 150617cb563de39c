/* SPDX-License-Identifier: MIT */
/*
 * Where the page goes: a terminal of some width, with or without UTF-8 and
 * colours, or a file.  Lines are put together here, and cut to the width.
 */
#ifndef PTL_TOOLS_REPORT_SHOW_SCREEN_H
#define PTL_TOOLS_REPORT_SHOW_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/lib/out.h"

enum ptl_color_when { PTL_COLOR_AUTO, PTL_COLOR_ALWAYS, PTL_COLOR_NEVER };

enum ptl_color {
	PTL_COLOR_NONE,
	PTL_COLOR_RED,	  /* failed */
	PTL_COLOR_YELLOW, /* waited, lost, cut */
	PTL_COLOR_DIM,
	PTL_COLOR_BOLD,
};

/* Standard output, whose properties it looks at. */
void ptl_screen_open(enum ptl_color_when when);
/* A part of a terminal, so wide: its lines go to the function, in colours as
 * ptl_screen_code() has them. */
void ptl_screen_open_part(size_t width,
			  void (*take)(const char *bytes, size_t size));
void ptl_screen_close(void);

/* The colour whose code these bytes begin with, and *size is that of the code;
 * 0: they do not. */
enum ptl_color ptl_screen_code(const char *bytes, size_t *size);

bool ptl_screen_is_terminal(void);

/* Columns of a line; SIZE_MAX: no limit. */
size_t ptl_screen_width(void);

/* For what is no text: JSON. */
struct ptl_out *ptl_screen_out(void);

/*
 * Words of ours, in UTF-8: its signs become ASCII where there is no UTF-8.
 * Names are foreign bytes.
 */
void ptl_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void ptl_line_name(const char *name);

/* A sentence of ours: in as many lines as it takes, the last of them ended. */
void ptl_line_words(const char *words);
void ptl_line_color(enum ptl_color color);

/* Blanks up to that column. */
void ptl_line_to(size_t column);

void ptl_line_end(void);

/* The one that is told is of so many: "; and 3 more". */
void ptl_line_end_more(int64_t nr);

/* A sign of ours as it will be shown. */
const char *ptl_screen_sign(const char *sign);

/* How many columns words of ours, or a name, will take. */
size_t ptl_screen_columns(const char *words);
size_t ptl_screen_name_columns(const char *name);

/* A name with its middle left out, if it is wider than that. */
void ptl_line_path(const char *name, size_t columns);

#endif
