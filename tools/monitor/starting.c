/* SPDX-License-Identifier: MIT */
#include "tools/monitor/starting.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/monitor/whynot.h"

#define MOMENT_NS 10000000
/* A start takes a hundredth of it. */
#define MOST_SECONDS 1
/* It waits for nobody, but may be seen when it waits for a page. */
#define MOST_ASLEEP 5

/* The state is the third word, after the name in parentheses; its time in user
 * mode is the 14th, that in the kernel the next. */
static bool look(pid_t pid, char *state, unsigned long *ticks)
{
	char path[64], line[1024] = "";
	unsigned long user, kernel;
	const char *at;
	FILE *file;
	bool known;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	known = fgets(line, sizeof(line), file) != NULL &&
		(at = strrchr(line, ')')) != NULL &&
		sscanf(at,
		       ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		       state, &user, &kernel) == 3;
	fclose(file);
	*ticks = known ? user + kernel : 0;
	return known;
}

bool ptl_starting_goes_on(struct ptl_starting *starting)
{
	const struct timespec moment = {0, MOMENT_NS};
	unsigned long ticks, most = MOST_SECONDS * sysconf(_SC_CLK_TCK);
	char state;

	if (!ptl_whynot_is_unjoined(starting->pid) ||
	    !look(starting->pid, &state, &ticks))
		return false;
	if (starting->looks++ == 0)
		starting->ticks = ticks;
	starting->asleep = state == 'R' ? 0 : starting->asleep + 1;
	if (state == 'Z' || state == 'X' || starting->asleep > MOST_ASLEEP ||
	    ticks - starting->ticks > most)
		return false;
	nanosleep(&moment, NULL);
	return true;
}
