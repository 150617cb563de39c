/* SPDX-License-Identifier: MIT */
/* Which functions -l and -r may mean. */
#ifndef PTL_TOOLS_PROTOTYPES_LISTED_H
#define PTL_TOOLS_PROTOTYPES_LISTED_H

#include <stdbool.h>

/* Is there a pattern in the list, or NULL, that the name fits?  That of a
 * library is not known here. */
bool ptl_listed(const char *list, const char *name);

#endif
