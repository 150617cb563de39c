/* SPDX-License-Identifier: MIT */
/* What kind of terminal this is; see kind.h. */
#include "tools/report/browse/kind.h"

#include <curses.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "tools/lib/say.h"

/* NULL: the terminal cannot do that. */
static const char *find(const char *capability)
{
	const char *bytes = tigetstr((char *)(uintptr_t)capability);

	return bytes != (char *)-1 ? bytes : NULL;
}

/* Attributes, cursor, keypad, and the screen that was there before. */
static void find_leave(char *leave, size_t room)
{
	static const char *const capabilities[] = {"sgr0", "cnorm", "rmkx",
						   "rmcup"};
	size_t nr = sizeof(capabilities) / sizeof(*capabilities);

	leave[0] = '\0';
	for (size_t i = 0; i < nr; i++) {
		const char *bytes = find(capabilities[i]);

		if (bytes != NULL && strlen(leave) + strlen(bytes) < room)
			strcat(leave, bytes);
	}
}

bool ptl_terminal_check(char *leave, size_t room)
{
	const char *term = getenv("TERM");
	int error;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		ptl_say("--browse: standard %s is no terminal",
			isatty(STDIN_FILENO) ? "output" : "input");
		return false;
	}
	if (term == NULL || *term == '\0') {
		ptl_say("--browse: TERM does not say what this terminal is");
		return false;
	}
	if (setupterm(NULL, STDOUT_FILENO, &error) != OK) {
		ptl_say("--browse: nothing is known of this terminal (TERM=%s)",
			term);
		return false;
	}
	if (find("cup") == NULL || find("ed") == NULL) {
		ptl_say("--browse: this terminal (TERM=%s) cannot place its "
			"cursor",
			term);
		return false;
	}
	find_leave(leave, room);
	return true;
}
