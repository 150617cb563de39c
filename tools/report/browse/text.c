/* SPDX-License-Identifier: MIT */
/* A text on the whole terminal; see text.h. */
#include "tools/report/browse/text.h"

#include <stdint.h>
#include <string.h>

#include "tools/report/browse/keys.h"
#include "tools/report/browse/lines.h"
#include "tools/report/browse/terminal.h"

static void make(struct ptl_browse_lines *lines, void (*say)(void *of),
		 void *of)
{
	ptl_lines_begin(lines, ptl_terminal_columns());
	say(of);
	ptl_lines_end(lines);
}

static size_t nr_shown(void)
{
	size_t rows = ptl_terminal_rows();

	return rows > 2 ? rows - 2 : 1;
}

static void draw(const char *title, const struct ptl_browse_lines *lines,
		 size_t first)
{
	static const char hint[] = "arrows: scroll   any other key: back";
	size_t size;

	ptl_terminal_put(0, title, strlen(title), PTL_STYLE_BAR);
	for (size_t i = 0; i < nr_shown(); i++) {
		const char *line = "";

		size = 0;
		if (first + i < lines->nr)
			line = ptl_lines_get(lines, first + i, &size);
		ptl_terminal_put(1 + i, line, size, PTL_STYLE_PLAIN);
	}
	ptl_terminal_put(ptl_terminal_rows() - 1, hint, strlen(hint),
			 PTL_STYLE_BAR);
	ptl_terminal_show(SIZE_MAX, 0);
}

/* So many lines further. */
static long step(enum ptl_browse_act act, const struct ptl_browse_lines *lines)
{
	switch (act) {
	case PTL_BROWSE_UP:
		return -1;
	case PTL_BROWSE_DOWN:
		return 1;
	case PTL_BROWSE_PAGE_UP:
		return -(long)nr_shown();
	case PTL_BROWSE_PAGE_DOWN:
	case PTL_BROWSE_TOGGLE:
		return (long)nr_shown();
	case PTL_BROWSE_FIRST:
		return -(long)lines->nr;
	case PTL_BROWSE_LAST:
		return (long)lines->nr;
	default:
		return 0;
	}
}

void ptl_browse_text(const char *title, void (*say)(void *of), void *of)
{
	struct ptl_browse_lines lines = {0};
	long first = 0;

	make(&lines, say, of);
	for (;;) {
		long most = (long)lines.nr - (long)nr_shown(), by;
		int key;

		first = first > most ? most : first;
		first = first < 0 ? 0 : first;
		draw(title, &lines, (size_t)first);
		key = ptl_terminal_key(-1);
		by = step(ptl_browse_act(key), &lines);
		if (key == PTL_KEY_RESIZED)
			make(&lines, say, of);
		else if (by == 0)
			break;
		first += by;
	}
	ptl_lines_free(&lines);
}
