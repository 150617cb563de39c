/* SPDX-License-Identifier: MIT */
/* The newest log here; see newest.h. */
#include "tools/read/newest.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/say.h"
#include "tools/read/source.h"

#define SUFFIX ".ptlog"

static bool is_log(const char *name, struct timespec *when)
{
	const char *dot = strrchr(name, '.');
	struct stat st;

	if (dot == NULL || strcmp(dot, SUFFIX) != 0 || *name == '.' ||
	    stat(name, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*when = st.st_mtim;
	return true;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec :
					a->tv_nsec > b->tv_nsec;
}

char *ptl_newest_log(void)
{
	struct timespec when, newest = {0};
	const struct dirent *entry;
	DIR *dir = opendir(".");
	char *name = NULL;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!is_log(entry->d_name, &when) ||
		    (name != NULL && !is_later(&when, &newest)))
			continue;
		free(name);
		name = strdup(entry->d_name);
		newest = when;
	}
	if (dir != NULL)
		closedir(dir);
	if (name == NULL) {
		ptl_say("which log?  There is no *" SUFFIX " here");
		exit(PTL_EXIT_NO_LOG);
	}
	ptl_say("reading %s", name);
	return name;
}
