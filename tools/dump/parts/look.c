/* SPDX-License-Identifier: MIT */
/* How text is to look; see look.h. */
#include "tools/dump/parts/look.h"

#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_MIN 60

/* The number of the word among those, or -1. */
static int find(const char *const *words, const char *word)
{
	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

bool ptl_look_set_time(struct ptl_look *look, const char *word)
{
	static const char *const words[] = {"relative", "absolute", "delta",
					    "clock", NULL};
	int found = find(words, word);

	if (found >= 0)
		look->time = (enum ptl_look_time)found;
	return found >= 0;
}

bool ptl_look_set_color(struct ptl_look *look, const char *word)
{
	static const char *const words[] = {"auto", "always", "never", NULL};
	int found = find(words, word);

	if (found >= 0)
		look->color = (enum ptl_look_color)found;
	return found >= 0;
}

bool ptl_look_set_weight(struct ptl_look *look, const char *word)
{
	static const char *const words[] = {"count",  "time", "bytes", "peak",
					    "leaked", "cpu",  NULL};
	int found = find(words, word);

	if (found >= 0)
		look->weight = PTL_LOOK_COUNT + (enum ptl_look_weight)found;
	return found >= 0;
}

/* no-color.org: set and not empty. */
static bool wants_color(const struct ptl_look *look)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (look->color != PTL_LOOK_AUTO)
		return look->color == PTL_LOOK_ALWAYS;
	return look->is_terminal && (no_color == NULL || *no_color == '\0') &&
	       term != NULL && strcmp(term, "dumb") != 0;
}

static unsigned int width_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = {0};
	long width = columns != NULL ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	if (width <= 0)
		return 0;
	return width < WIDTH_MIN ? WIDTH_MIN :
	       width > 10000	 ? 10000 :
				   (unsigned int)width;
}

void ptl_look_decide(struct ptl_look *look, int fd, bool is_fd)
{
	look->is_utf8 = setlocale(LC_CTYPE, "") != NULL &&
			strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	look->is_terminal = is_fd && isatty(fd);
	look->is_colored = wants_color(look);
	look->width = look->is_terminal ? width_of(fd) : 0;
}
