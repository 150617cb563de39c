/* SPDX-License-Identifier: MIT */
/* What ptrace-ctl asks of a controller. */
#ifndef PTL_TOOLS_MONITOR_WIRE_REQUESTS_H
#define PTL_TOOLS_MONITOR_WIRE_REQUESTS_H

#include <stdbool.h>
#include <sys/stat.h>
#include <trace.h>

#include "tools/lib/talk.h"

/* The trace that requests are about. */
struct ptl_subject {
	trace_id_t trid;
	const char *log;    /* its absolute path, or what the user wrote */
	struct stat status; /* of its file */
	bool has_file;	    /* not a pipe, whose reader may be slow */
};

/*
 * Does what is asked for, and says how it went.  The file, or -1, is what the
 * client opened for that: no path of a client's is opened here.  Waits for
 * nothing but memory and regular files.
 */
void ptl_requests_answer(const struct ptl_subject *subject,
			 const struct ptl_talk *request, int file,
			 struct ptl_talk *reply);

/* Is that what is requested? */
bool ptl_requests_is(const struct ptl_talk *request, const char *name);

/* Does the trace run, or will it when there is room? */
bool ptl_requests_runs(trace_id_t trid);

/* Records a mark with that text.  NULL, or why it could not be done. */
const char *ptl_requests_mark(const struct ptl_subject *subject,
			      const char *text);

#endif
