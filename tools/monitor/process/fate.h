/* SPDX-License-Identifier: MIT */
/*
 * What others did to the file of the log while it was written.  Nothing that is
 * recorded is lost for that, if it can be helped: a log without a name gets
 * one.
 */
#ifndef PTL_TOOLS_MONITOR_PROCESS_FATE_H
#define PTL_TOOLS_MONITOR_PROCESS_FATE_H

#include <stdbool.h>
#include <trace.h>

/* A log that has lost its name to another file is saved by that name and this.
 */
#define PTL_FATE_SUFFIX ".recovered"

enum ptl_fate {
	PTL_FATE_NONE,
	PTL_FATE_MOVED,	    /* its name is gone, or is another file's */
	PTL_FATE_BACK,	    /* it was removed, and is there again */
	PTL_FATE_RECOVERED, /* the same, by another name */
	PTL_FATE_REMOVED,   /* and could not be saved: errno */
	PTL_FATE_CUT	    /* or overwritten: something is missing in it */
};

/* Has the log a name? */
bool ptl_fate_has_name(int fd);

/* Of the complete log `fd', whose name was `path'; info is that of its end.
 * What had a name when it was complete is gone since, because somebody wanted
 * it so. */
enum ptl_fate ptl_fate_of(int fd, const char *path, bool had_name,
			  const struct posix_trace_info_np *info);

#endif
