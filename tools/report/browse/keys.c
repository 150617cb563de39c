/* SPDX-License-Identifier: MIT */
/* What each key does; see keys.h. */
#include "tools/report/browse/keys.h"

#include <stddef.h>
#include <string.h>

#include "tools/report/browse/terminal.h"
#include "tools/report/show/screen.h"

#define KEYS 3

/* Where the help begins. */
#define HELP_COLUMN 14

static const struct {
	enum ptl_browse_act act;
	int key[KEYS];
	const char *shown, *help; /* NULL: the row before says it */
} keys[] = {
	{PTL_BROWSE_UP, {PTL_KEY_UP, 'k'}, "Up, Down", "a line (k, j)"},
	{PTL_BROWSE_DOWN, {PTL_KEY_DOWN, 'j'}, NULL, NULL},
	{PTL_BROWSE_PAGE_UP, {PTL_KEY_PAGE_UP, 2}, "PgUp, PgDn", "a screen"},
	{PTL_BROWSE_PAGE_DOWN, {PTL_KEY_PAGE_DOWN, 6}, NULL, NULL},
	{PTL_BROWSE_FIRST,
	 {PTL_KEY_HOME, 'g'},
	 "Home, End",
	 "the first line, the last one (g, G)"},
	{PTL_BROWSE_LAST, {PTL_KEY_LAST, 'G'}, NULL, NULL},
	{PTL_BROWSE_RIGHT,
	 {PTL_KEY_RIGHT, 'l'},
	 "Right, Left",
	 "open what a process started, close it (l, h)"},
	{PTL_BROWSE_LEFT, {PTL_KEY_LEFT, 'h'}, NULL, NULL},
	{PTL_BROWSE_TOGGLE, {' '}, "Space", "open or close it; *: all"},
	{PTL_BROWSE_TOGGLE_ALL, {'*'}, NULL, NULL},
	{PTL_BROWSE_ENTER,
	 {PTL_KEY_ENTER},
	 "Enter",
	 "go into a process, a thread; all that is known of a row"},
	{PTL_BROWSE_BACK,
	 {PTL_KEY_BACK, PTL_KEY_ESCAPE},
	 "Backspace",
	 "go back (Esc, Left)"},
	{PTL_BROWSE_TURN,
	 {PTL_KEY_TAB},
	 "Tab",
	 "the next view; Shift-Tab: the one before; views without rows are "
	 "left out"},
	{PTL_BROWSE_TURN_BACK, {PTL_KEY_TAB_BACK}, NULL, NULL},
	{PTL_BROWSE_SORT,
	 {'s', '>'},
	 "s, S",
	 "sort by the next column, the one before (>, <)"},
	{PTL_BROWSE_SORT_BACK, {'S', '<'}, NULL, NULL},
	{PTL_BROWSE_SEARCH, {'/'}, "/", "search for words; n, N: next, before"},
	{PTL_BROWSE_NEXT, {'n'}, NULL, NULL},
	{PTL_BROWSE_PREVIOUS, {'N'}, NULL, NULL},
	{PTL_BROWSE_FILTER,
	 {'f', 'w'},
	 "f",
	 "only events that an expression is true of, as ptrace-dump -w has"},
	{PTL_BROWSE_TIME, {'t'}, "t", "only events of a time"},
	{PTL_BROWSE_ZOOM,
	 {'z'},
	 "z",
	 "the time of the process or thread; again: all of it"},
	{PTL_BROWSE_CHILDREN,
	 {'c'},
	 "c",
	 "in a process: with all that it started, or without"},
	{PTL_BROWSE_EVENTS, {'e'}, "e", "the events, by ptrace-dump"},
	{PTL_BROWSE_AGAIN, {'r', 12}, "r", "read the logs again"},
	{PTL_BROWSE_HELP, {'?'}, "?", "this"},
	{PTL_BROWSE_QUIT, {'q'}, "q", "quit"},
};

enum ptl_browse_act ptl_browse_act(int key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		for (size_t j = 0; j < KEYS; j++)
			if (keys[i].key[j] == key && key != 0)
				return keys[i].act;
	return PTL_BROWSE_NOTHING;
}

/* Words of ours, in lines that begin in that column. */
static void say_from(size_t column, const char *words)
{
	size_t used = column;

	while (*words != '\0') {
		size_t size = strcspn(words, " ");

		if (used > column && used + 1 + size > ptl_screen_width()) {
			ptl_line_end();
			used = column;
		}
		if (used == column)
			ptl_line_to(column);
		ptl_line("%s%.*s", used > column ? " " : "", (int)size, words);
		used += size + 1;
		words += size + (words[size] == ' ');
	}
	ptl_line_end();
}

void ptl_browse_say_help(void *nothing)
{
	(void)nothing;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i].shown == NULL)
			continue;
		ptl_line_color(PTL_COLOR_BOLD);
		ptl_line("%s", keys[i].shown);
		ptl_line_color(PTL_COLOR_NONE);
		say_from(HELP_COLUMN, keys[i].help);
	}
	ptl_line_end();
	ptl_line_words("In the tree, + is a process whose children are not "
		       "shown, - one whose are. EVENTS and ERR (what failed) "
		       "are of the "
		       "process alone, and of them only what the filter and "
		       "the time let pass.");
}
