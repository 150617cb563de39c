/* SPDX-License-Identifier: MIT */
/*
 * Lines of source code; see lines.h.  Which compilation unit an address is in
 * is looked up in a table that is made when the file is opened: not every
 * compiler writes one (.debug_aranges).  libdw reads the lines of a unit when
 * one of them is needed first.
 */
#include "tools/symbolize/lines.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/symbolize/debuginfo.h"
#include "tools/symbolize/ranges.h"

#define TEXTS_HASH 1024
/* No unit has more, nor entries nested deeper, that is not damaged: there they
 * can go in circles. */
#define MAX_RANGES (1u << 20)
#define MAX_ENTRIES (1u << 24)
#define MAX_DEPTH 64

struct unit {
	Dwarf_Die die;
	bool has_wrappers;
	unsigned int nr_seen; /* entries, while these were looked for */
	struct ptl_ranges wrappers; /* struct call */
};

/* Where a function is called that is inlined there. */
struct call {
	const char *path;
	int line;
};

struct text {
	uint64_t address; /* 0: nothing was looked up */
	char *path;	  /* or NULL */
	const char *name; /* without directories */
};

struct ptl_lines {
	struct ptl_ranges units;      /* struct unit */
	struct text text[TEXTS_HASH]; /* by hash of the address; newest wins */
};

static void add_ranges(struct ptl_ranges *ranges, Dwarf_Die *die, void *what)
{
	Dwarf_Addr base = 0, start = 0, end = 0;
	ptrdiff_t next = 0;

	for (unsigned int i = 0; i < MAX_RANGES; i++) {
		next = dwarf_ranges(die, next, &base, &start, &end);
		if (next <= 0)
			return;
		ptl_ranges_add(ranges, start, end, what);
	}
}

struct ptl_lines *ptl_lines_open(const struct ptl_wanted *wanted)
{
	Dwarf *debug = ptl_debuginfo_open(wanted);
	struct ptl_lines *lines;
	Dwarf_CU *next = NULL;
	Dwarf_Die die;

	if (debug == NULL)
		return NULL;
	lines = ptl_alloc(sizeof(*lines));
	while (dwarf_get_units(debug, next, &next, NULL, NULL, &die, NULL) ==
	       0) {
		struct unit *unit = ptl_alloc(sizeof(*unit));

		unit->die = die;
		add_ranges(&lines->units, &die, unit);
	}
	ptl_ranges_sort(&lines->units);
	return lines;
}

static bool get_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *number)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) != NULL &&
	       dwarf_formudata(&attr, number) == 0;
}

static void add_wrapper(struct unit *unit, Dwarf_Die *die)
{
	Dwarf_Word file, line;
	struct call *call;
	Dwarf_Files *files;
	size_t nr;

	if (!get_number(die, DW_AT_call_file, &file) ||
	    !get_number(die, DW_AT_call_line, &line) || line > INT32_MAX ||
	    dwarf_getsrcfiles(&unit->die, &files, &nr) != 0 || file >= nr)
		return;
	call = ptl_alloc(sizeof(*call));
	call->path = dwarf_filesrc(files, file, NULL, NULL);
	call->line = (int)line;
	add_ranges(&unit->wrappers, die, call);
}

/* All below the entry, and those behind it that have the same parent. */
static void find_wrappers(struct unit *unit, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;

	do {
		switch (dwarf_tag(die)) {
		case DW_TAG_inlined_subroutine:
			if (dwarf_hasattr_integrate(die, DW_AT_artificial)) {
				add_wrapper(unit, die);
				break;
			}
			__attribute__((fallthrough));
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_compile_unit:
			if (depth < MAX_DEPTH && unit->nr_seen < MAX_ENTRIES &&
			    dwarf_child(die, &child) == 0)
				find_wrappers(unit, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (depth > 0 && ++unit->nr_seen < MAX_ENTRIES &&
		 dwarf_siblingof(die, die) == 0);
}

/*
 * Functions of headers can be marked as artificial: they stand for their call
 * (posix_trace_event(), read() with _FORTIFY_SOURCE).  They are looked for only
 * where a line is not of the unit's own file.
 */
static const struct call *find_call(struct unit *unit, uint64_t address,
				    const char *path)
{
	const char *own = dwarf_diename(&unit->die);

	if (own == NULL || strcmp(basename(own), basename(path)) == 0)
		return NULL;
	if (!unit->has_wrappers) {
		Dwarf_Die die = unit->die;

		unit->has_wrappers = true;
		find_wrappers(unit, &die, 0);
		ptl_ranges_sort(&unit->wrappers);
	}
	return ptl_ranges_find(&unit->wrappers, address);
}

static void find_line(struct ptl_lines *lines, struct text *text)
{
	uint64_t address = text->address - 1;
	struct unit *unit = ptl_ranges_find(&lines->units, address);
	const struct call *call = NULL;
	Dwarf_Line *line = NULL;
	const char *path = NULL;
	int number = 0;

	if (unit != NULL)
		line = dwarf_getsrc_die(&unit->die, address);
	if (line != NULL && dwarf_lineno(line, &number) == 0)
		path = dwarf_linesrc(line, NULL, NULL);
	if (path != NULL)
		call = find_call(unit, address, path);
	if (call != NULL) {
		path = call->path;
		number = call->line;
	}
	/* Line 0: the compiler's own; "???": the table of files is damaged. */
	if (path == NULL || path[0] == '?' || path[0] == '\0' || number <= 0 ||
	    asprintf(&text->path, "%s:%d", path, number) < 0)
		return;
	text->name = basename(text->path);
}

const char *ptl_lines_find(struct ptl_lines *lines, uint64_t address,
			   bool is_whole)
{
	struct text *text;

	if (lines == NULL || address == 0)
		return NULL;
	text = &lines->text[(address ^ address >> 10) % TEXTS_HASH];
	if (text->address != address) {
		free(text->path);
		*text = (struct text){.address = address};
		find_line(lines, text);
	}
	return is_whole ? text->path : text->name;
}

#else

struct ptl_lines *ptl_lines_open(const struct ptl_wanted *wanted)
{
	(void)wanted;
	return NULL;
}

const char *ptl_lines_find(struct ptl_lines *lines, uint64_t address,
			   bool is_whole)
{
	(void)lines;
	(void)address;
	(void)is_whole;
	return NULL;
}

#endif
