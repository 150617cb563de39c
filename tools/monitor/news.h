/* SPDX-License-Identifier: MIT */
/* What a controller waits for while the trace goes on, and what it tells. */
#ifndef PTL_TOOLS_MONITOR_NEWS_H
#define PTL_TOOLS_MONITOR_NEWS_H

#include <stdbool.h>
#include <sys/types.h>
#include <trace.h>

#include "tools/monitor/output/compress.h"
#include "tools/monitor/guardian.h"
#include "tools/monitor/plans.h"
#include "tools/monitor/sampling.h"
#include "tools/monitor/trigger/firing.h"
#include "tools/monitor/wire/link.h"
#include "tools/monitor/wire/requests.h"
#include "tools/monitor/wire/socket.h"

struct ptl_control {
	trace_id_t trid;
	pid_t target;
	int link_fd;   /* -1: there is no front any more */
	int target_fd; /* a pidfd, or -1 */
	int signal_fd;
	bool will_exec;
	bool has_samples_only; /* the target cannot record anything itself */
	bool is_unsure;	       /* are those that are left still to begin? */
	bool is_waited_for; /* by ptrace-run, until all processes have ended */
	bool has_target_ended;
	bool must_stop;
	bool is_live;		/* the log is written all the time */
	bool keeps;		/* what names need */
	int kept_error;		/* why not all of it */
	bool had_name;		/* the log, when it was complete */
	bool is_snapshot;	/* the log is written when one is killed: */
	unsigned int nr_killed; /* so many were */
	struct ptl_ward *ward;
	struct ptl_socket socket;
	struct ptl_plans plans;
	struct ptl_sampling sampling;
	struct ptl_subject subject;
	struct ptl_compress compress;
	struct ptl_firing firing;
};

/* To the front, if there is one. */
void ptl_news_send(struct ptl_control *control,
		   const struct ptl_report *message);
void ptl_news_report(struct ptl_control *control, enum ptl_report_kind kind,
		     int error, const char *what,
		     const struct posix_trace_info_np *info);

/* In a controller that has taken over: does what was asked of the one before.
 */
void ptl_news_catch_up(struct ptl_control *control);

/* Until nobody is left to be traced, or the trace is to end. */
void ptl_news_run(struct ptl_control *control);

#endif
