/* SPDX-License-Identifier: MIT */
/* Which log is read if none is named. */
#ifndef PTL_TOOLS_READ_NEWEST_H
#define PTL_TOOLS_READ_NEWEST_H

/* The newest of the files *.ptlog in this directory, which is said on stderr.
 * If there is none, ends the program. */
char *ptl_newest_log(void);

#endif
