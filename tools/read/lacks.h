/* SPDX-License-Identifier: MIT */
/*
 * What cannot be read, or is not whole, said on stderr: of a few logs in a line
 * for each, of many in one line for what is the same of them.
 */
#ifndef PTL_TOOLS_READ_LACKS_H
#define PTL_TOOLS_READ_LACKS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/read/merge.h"

/*
 * After the logs were read: says of each that is not whole what is missing; of
 * one that was followed what was overwritten.  Returns PTL_EXIT_OK or
 * PTL_EXIT_DAMAGED.
 */
int ptl_lacks_say(const struct ptl_merge *merge, bool is_following);

#endif
