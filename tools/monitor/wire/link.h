/* SPDX-License-Identifier: MIT */
/*
 * The messages between ptrace-run's front process and the controller process,
 * over a socket that preserves message boundaries.  Each side sees the other's
 * death as the end of the file.
 */
#ifndef PTL_TOOLS_MONITOR_WIRE_LINK_H
#define PTL_TOOLS_MONITOR_WIRE_LINK_H

#include <trace.h>

#include <stdbool.h>

#include "tools/monitor/process/fate.h"

enum ptl_request {
	PTL_LINK_FINISH, /* the command ended; end with the last process */
	PTL_LINK_STOP,	 /* end now */
	PTL_LINK_WAIT,	 /* as FINISH, and report when the last one ended */
	PTL_LINK_TELL,	 /* report how it goes */
};

enum ptl_report_kind {
	PTL_LINK_READY,	 /* tracing has started; error: of samples alone */
	PTL_LINK_FAILED, /* it could not start: error and what */
	PTL_LINK_LEFT,	 /* after FINISH: processes are left */
	PTL_LINK_DONE,	 /* the log is complete: info */
	PTL_LINK_TOLD,	 /* how it goes: info */
};

/* The report if a traced user has truncated the memory of the stream. */
#define PTL_LINK_CUT_SHORT "cut short"

/* DONE, of --when. */
struct ptl_report_triggers {
	unsigned long long fired, missed;
	bool has_died;
	unsigned int nr_snapshots;
	int snapshot_error;
	char snapshot[512]; /* the last one */
};

struct ptl_report {
	enum ptl_report_kind kind;
	int error;
	char what[64];
	enum ptl_fate fate; /* of the log, DONE: error, if it is REMOVED */
	int kept_error;	    /* DONE: why it does not keep all symbols, or 0 */
	int pack_error; /* DONE: it is not compressed to its end; 0: it is */
	struct posix_trace_info_np info;
	unsigned long long samples_lost;  /* DONE, of --sample */
	unsigned long long switches_lost; /* DONE, of --sched */
	unsigned long long sampled;	  /* processes; 0: it is not known */
	bool has_sampler_died, is_sampler_silent;
	struct ptl_report_triggers triggers;
};

/*
 * Both ends are above the standard descriptors and closed on exec.  Returns 0
 * or the error number.
 */
int ptl_link_open(int *front, int *controller);

/* None of these raises SIGPIPE.  False: errno is set, to EPIPE if the other
 * side is gone. */
bool ptl_link_ask(int fd, enum ptl_request request);
/* The request stays there until it is dropped. */
bool ptl_link_asked(int fd, enum ptl_request *request);
void ptl_link_drop(int fd);
bool ptl_link_report(int fd, const struct ptl_report *report);

/* Waits for a report; of those that say how it goes for none. */
bool ptl_link_reported(int fd, struct ptl_report *report);
/* Is there a report? */
bool ptl_link_heard(int fd, struct ptl_report *report);

#endif
