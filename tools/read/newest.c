/* SPDX-License-Identifier: MIT */
/* The log that is meant when none is named; see newest.h. */
#include "tools/read/newest.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/say.h"

#define SUFFIX ".ptlog"

static bool is_log_name(const char *name)
{
	size_t size = strlen(name), suffix = strlen(SUFFIX);

	return size > suffix && name[0] != '.' &&
	       strcmp(name + size - suffix, SUFFIX) == 0;
}

static bool is_newer(const struct stat *a, const char *a_name,
		     const struct stat *b, const char *b_name)
{
	if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
		return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
	if (a->st_mtim.tv_nsec != b->st_mtim.tv_nsec)
		return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
	return strcmp(a_name, b_name) > 0;
}

const char *ptl_newest_log(void)
{
	DIR *dir = opendir(".");
	const struct dirent *entry;
	struct stat st, newest_st = {0};
	char *newest = NULL;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (!is_log_name(entry->d_name) ||
		    stat(entry->d_name, &st) != 0 || !S_ISREG(st.st_mode) ||
		    (newest != NULL &&
		     !is_newer(&st, entry->d_name, &newest_st, newest)))
			continue;
		free(newest);
		newest = ptl_alloc(strlen(entry->d_name) + 1);
		strcpy(newest, entry->d_name);
		newest_st = st;
	}
	if (dir != NULL)
		closedir(dir);
	return newest;
}
