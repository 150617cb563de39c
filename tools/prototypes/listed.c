/* SPDX-License-Identifier: MIT */
/* Patterns of -l and -r; see listed.h. */
#include "tools/prototypes/listed.h"

#include <stdlib.h>
#include <string.h>

#include "preload/settings/list.h"
#include "preload/settings/pattern.h"

bool ptl_listed(const char *list, const char *name)
{
	const char *word;
	size_t size;

	while (list != NULL && ptl_list_next(&list, &word, &size)) {
		char *pattern = strndup(word, size), *colon;
		bool fits;

		colon = pattern != NULL ? strchr(pattern, ':') : NULL;
		fits = pattern != NULL &&
		       ptl_pattern_fits(colon != NULL ? colon + 1 : pattern,
					name);
		free(pattern);
		if (fits)
			return true;
	}
	return false;
}
