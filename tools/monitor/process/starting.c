/* SPDX-License-Identifier: MIT */
#include "tools/monitor/process/starting.h"

#include <time.h>
#include <unistd.h>

#include "tools/monitor/process/whynot.h"

#define MOMENT_NS 10000000
/* A start takes a hundredth of it. */
#define MOST_SECONDS 1
/* Who starts waits for nobody, but may be seen when it waits for a page. */
#define MOST_ASLEEP 5

bool ptl_starting_goes_on(struct ptl_starting *starting)
{
	const struct timespec moment = {0, MOMENT_NS};
	unsigned long most = MOST_SECONDS * (unsigned long)sysconf(_SC_CLK_TCK);
	struct ptl_whynot_stat stat;

	if (!ptl_whynot_is_unjoined(starting->pid) ||
	    !ptl_whynot_stat(starting->pid, &stat))
		return false;
	if (starting->looks++ == 0)
		starting->ticks = stat.ticks;
	starting->asleep = stat.state == 'R' ? 0 : starting->asleep + 1;
	if (stat.state == 'Z' || stat.state == 'X' ||
	    starting->asleep > MOST_ASLEEP ||
	    stat.ticks - starting->ticks > most)
		return false;
	nanosleep(&moment, NULL);
	return true;
}
