/* SPDX-License-Identifier: MIT */
/*
 * Lines of source code; see lines.h.  Which compilation unit an address is in
 * is looked up in a table that is made when the file is opened: not every
 * compiler writes one (.debug_aranges).  libdw reads the lines of a unit when
 * one of them is needed first.
 */
#include "tools/symbolize/lines.h"

#ifdef HAVE_LIBDW

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/symbolize/debuginfo.h"
#include "tools/symbolize/inlined.h"
#include "tools/symbolize/ranges.h"

#define TEXTS_HASH 1024

struct text {
	uint64_t address; /* 0: nothing was looked up */
	struct ptl_srcline *line;
	size_t nr, room;
};

struct ptl_lines {
	struct ptl_ranges units;      /* struct ptl_inlined_functions */
	struct text text[TEXTS_HASH]; /* by hash of the address; newest wins */
};

struct ptl_lines *ptl_lines_open(const struct ptl_wanted *wanted,
				 bool *is_there)
{
	Dwarf *debug = ptl_debuginfo_open(wanted, false, is_there);
	struct ptl_lines *lines;
	Dwarf_CU *next = NULL;
	Dwarf_Die die;

	if (debug == NULL)
		return NULL;
	lines = ptl_alloc(sizeof(*lines));
	while (dwarf_get_units(debug, next, &next, NULL, NULL, &die, NULL) ==
	       0) {
		struct ptl_inlined_functions *unit = ptl_alloc(sizeof(*unit));

		unit->unit = die;
		ptl_debuginfo_ranges(&lines->units, &die, unit);
	}
	ptl_ranges_sort(&lines->units);
	return lines;
}

static void clear(struct text *text)
{
	for (size_t i = 0; i < text->nr; i++)
		free(text->line[i].path);
	text->nr = 0;
}

static void add_line(struct text *text, const char *function, const char *path,
		     int number)
{
	struct ptl_srcline *line;

	text->line = ptl_grow(text->line, text->nr, &text->room,
			      sizeof(*text->line));
	line = &text->line[text->nr++];
	*line = (struct ptl_srcline){.function = function};
	/* Line 0: the compiler's own; "???": the table of files is damaged. */
	if (path == NULL || path[0] == '?' || path[0] == '\0' || number <= 0 ||
	    asprintf(&line->path, "%s:%d", path, number) < 0) {
		line->path = NULL;
		return;
	}
	line->name = basename(line->path);
}

/*
 * Functions of headers can be marked as artificial: they stand for their call
 * (posix_trace_event(), read() with _FORTIFY_SOURCE).  The line of a function
 * that has no name is shown as one of its caller.
 */
static void find_lines(struct text *text, struct ptl_inlined_functions *unit,
		       uint64_t address)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->unit, address);
	const struct ptl_inlined *inlined = ptl_inlined_find(unit, address);
	const char *path = NULL;
	int number = 0;

	if (line != NULL && dwarf_lineno(line, &number) == 0)
		path = dwarf_linesrc(line, NULL, NULL);
	for (; inlined != NULL; inlined = inlined->caller) {
		if (inlined->name == NULL && !inlined->is_artificial)
			continue;
		if (inlined->is_artificial)
			clear(text);
		else
			add_line(text, inlined->name, path, number);
		path = inlined->path;
		number = inlined->line;
	}
	add_line(text, NULL, path, number);
}

size_t ptl_lines_find(struct ptl_lines *lines, uint64_t address,
		      const struct ptl_srcline **line)
{
	struct ptl_inlined_functions *unit;
	struct text *text;

	if (lines == NULL || address == 0)
		return 0;
	text = &lines->text[(address ^ address >> 10) % TEXTS_HASH];
	if (text->address != address) {
		clear(text);
		text->address = address;
		unit = ptl_ranges_find(&lines->units, address - 1);
		if (unit != NULL)
			find_lines(text, unit, address - 1);
	}
	*line = text->line;
	return text->nr;
}

#else

struct ptl_lines *ptl_lines_open(const struct ptl_wanted *wanted,
				 bool *is_there)
{
	(void)wanted;
	*is_there = true;
	return NULL;
}

size_t ptl_lines_find(struct ptl_lines *lines, uint64_t address,
		      const struct ptl_srcline **line)
{
	(void)lines;
	(void)address;
	(void)line;
	return 0;
}

#endif
