/* SPDX-License-Identifier: MIT */
/* Lists in settings: words separated by commas. */
#ifndef PTL_PRELOAD_SETTINGS_LIST_H
#define PTL_PRELOAD_SETTINGS_LIST_H

#include "core/base.h"

/*
 * Removes the first word from the list, which becomes NULL after the last one.
 * Words may be empty: an empty list has one word.
 */
PTL_INLINE bool ptl_list_next(const char **list, const char **word,
			      size_t *size)
{
	const char *at = *list;

	if (!at)
		return false;
	*word = at;
	while (*at && *at != ',')
		at++;
	*size = (size_t)(at - *word);
	*list = *at ? at + 1 : NULL;
	return true;
}

/* Is the word this name? */
PTL_INLINE bool ptl_list_is(const char *word, size_t size, const char *name)
{
	size_t i = 0;

	while (i < size && word[i] == name[i])
		i++;
	return i == size && !name[i];
}

#endif
