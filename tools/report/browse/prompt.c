/* SPDX-License-Identifier: MIT */
/* A line that the user types; see prompt.h. */
#include "tools/report/browse/prompt.h"

#include <stdio.h>
#include <string.h>

#include "tools/report/browse/terminal.h"
#include "tools/report/show/screen.h"

#define CTRL_U 21

static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* As much of its end as there is room for. */
static void show(const char *asked, const char *help, const char *text)
{
	size_t columns = ptl_terminal_columns(), rows = ptl_terminal_rows();
	size_t before = ptl_screen_columns(asked), used;
	char line[PTL_PROMPT_SIZE + 128];

	used = ptl_screen_columns(text);
	for (; used > 0 && before + used + 1 > columns; used--)
		for (text++; is_inside(*text);)
			text++;
	snprintf(line, sizeof(line), "%s%s", asked, text);
	ptl_terminal_put(rows - 2, help, strlen(help), PTL_STYLE_HEADING);
	ptl_terminal_put(rows - 1, line, strlen(line), PTL_STYLE_PLAIN);
	ptl_terminal_show(rows - 1, before + used);
}

static void take_back(char *text)
{
	size_t size = strlen(text);

	while (size > 0 && is_inside(text[--size]))
		continue;
	text[size] = '\0';
}

static void add(char *text, int key)
{
	size_t size = strlen(text);

	if (key < ' ' || key >= PTL_KEY_NONE || size + 1 >= PTL_PROMPT_SIZE)
		return;
	text[size] = (char)key;
	text[size + 1] = '\0';
}

bool ptl_prompt(const char *asked, const char *help, char text[PTL_PROMPT_SIZE],
		void (*draw)(void *of), void *of)
{
	char typed[PTL_PROMPT_SIZE];

	snprintf(typed, sizeof(typed), "%s", text);
	for (;;) {
		int key;

		draw(of);
		show(asked, help, typed);
		key = ptl_terminal_key(-1);
		if (key == PTL_KEY_ESCAPE || key == PTL_KEY_END)
			return false;
		if (key == PTL_KEY_ENTER)
			break;
		if (key == PTL_KEY_BACK)
			take_back(typed);
		else if (key == CTRL_U)
			typed[0] = '\0';
		else
			add(typed, key);
	}
	memcpy(text, typed, sizeof(typed));
	return true;
}
