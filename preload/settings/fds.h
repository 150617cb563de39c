/* SPDX-License-Identifier: MIT */
/* Lists of descriptors, and how much of them and of paths a stream has room
 * for. */
#ifndef PTL_PRELOAD_SETTINGS_FDS_H
#define PTL_PRELOAD_SETTINGS_FDS_H

#include "core/base.h"

#include "preload/settings/list.h"

#define PTL_SELECTION_FDS 16
#define PTL_SELECTION_PATHS 256 /* with the null */

/* A word of digits alone; -1: it is none, or too large. */
PTL_INLINE int ptl_fds_number(const char *word, size_t size)
{
	int64_t number = 0;

	for (size_t i = 0; i < size && number <= INT32_MAX; i++) {
		if (word[i] < '0' || word[i] > '9')
			return -1;
		number = number * 10 + (word[i] - '0');
	}
	return size && number <= INT32_MAX ? (int)number : -1;
}

/* Puts them into fds, unless that is NULL.  Returns how many there are; 0: one
 * is wrong, or there are too many. */
static inline unsigned int ptl_fds_read(const char *list, int *fds)
{
	unsigned int nr = 0;
	const char *word;
	size_t size;

	while (ptl_list_next(&list, &word, &size)) {
		int fd = ptl_fds_number(word, size);

		if (fd < 0 || nr == PTL_SELECTION_FDS)
			return 0;
		if (fds)
			fds[nr] = fd;
		nr++;
	}
	return nr;
}

#endif
