/* SPDX-License-Identifier: MIT */
/* The log that is meant when none is named. */
#ifndef PTL_TOOLS_READ_NEWEST_H
#define PTL_TOOLS_READ_NEWEST_H

/*
 * The newest *.ptlog in the current directory, by the time of its last change;
 * the last by name of those of one time.  NULL if there is none.
 */
const char *ptl_newest_log(void);

#endif
