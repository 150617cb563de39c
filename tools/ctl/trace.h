/* SPDX-License-Identifier: MIT */
/* The traces that can be reached, each by the socket of its controller. */
#ifndef PTL_TOOLS_CTL_TRACE_H
#define PTL_TOOLS_CTL_TRACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/lib/talk.h"

struct ptl_trace {
	char *path; /* of the socket */
	uid_t uid;  /* of its controller */
	pid_t pid;  /* the same; 0: it is in a pid namespace that we do not see
		     */
	struct ptl_talk *about; /* what it says of itself; NULL: it does not
				 * answer */
	const char *why_silent;
};

struct ptl_traces {
	struct ptl_trace *trace;
	size_t nr, room;
};

/* Adds those of a user. */
void ptl_traces_find(struct ptl_traces *traces, uid_t uid);

/* The trace's log, as its controller names it. */
const char *ptl_trace_log(const struct ptl_trace *trace);

/* The trace's controller, as the user knows it. */
int ptl_trace_pid(const struct ptl_trace *trace);

enum ptl_answer {
	PTL_ANSWER_OK,
	PTL_ANSWER_FAILED, /* why: what it says */
	PTL_ANSWER_SILENT, /* why: it does not answer */
	PTL_ANSWER_GONE,   /* its controller has ended */
};

/*
 * Asks it, with a descriptor or -1, and waits for the reply: for some seconds,
 * or, if the command `is_slow', for a minute, unless its controller is stopped.
 */
enum ptl_answer ptl_trace_ask(const struct ptl_trace *trace,
			      const struct ptl_talk *request, int file,
			      bool is_slow, struct ptl_talk *reply,
			      const char **why);

#endif
