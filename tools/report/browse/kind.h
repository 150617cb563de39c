/* SPDX-License-Identifier: MIT */
/* What kind of terminal this is; apart, for <term.h> has names of its own. */
#ifndef PTL_TOOLS_REPORT_BROWSE_KIND_H
#define PTL_TOOLS_REPORT_BROWSE_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* Does it do?  If not, says why.  leave is a string that brings it back from
 * what ncurses makes of it. */
bool ptl_terminal_check(char *leave, size_t room);

#endif
