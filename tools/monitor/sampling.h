/* SPDX-License-Identifier: MIT */
/*
 * --sample and --sched: ptrace-sampler, which looks at what COMMAND and its
 * children are doing, and when they do not run, and the events that it tells of
 * (wire/sampled.h).  If it fails, they run on, and so does the trace.
 */
#ifndef PTL_TOOLS_MONITOR_SAMPLING_H
#define PTL_TOOLS_MONITOR_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <trace.h>

/* What is sampled. */
struct ptl_sampled_target {
	pid_t pid;
	unsigned int hz;    /* in a second of computing; 0: not at all */
	unsigned int stack; /* bytes of it that are looked at */
	bool is_timed;	    /* by timers in the processes */
	uint64_t off;	    /* ns; times off the processor; 0: not at all */
	bool has_kernel;    /* what they do in the kernel, too */
	bool follows;	    /* what it forks, too */
	bool is_running;    /* it does not call exec before */
};

struct ptl_sampling {
	int fd; /* -1: there is none */
	pid_t target;
	unsigned int image; /* that it has got to */
	unsigned int hz, stack;
	unsigned int
		timed; /* hz of timers in the processes; 0: there are none */
	uint64_t off;
	bool has_kernel;
	int refused; /* the error number, why there are none */
	bool is_paused;
	bool is_told;		  /* in the trace, that there are samples */
	bool has_died, is_silent; /* before it has told all */
	uint64_t lost, switches_lost;
	uint64_t processes; /* that were looked at; 0: it is not known */
};

/* What failed; see ptl_whynot_sampled(). */
#define PTL_SAMPLING_EVENTS "sample"
#define PTL_SAMPLING_MEMORY "sample memory"
#define PTL_SAMPLING_START "ptrace-sampler"

/*
 * Before COMMAND runs, and the caller has a guardian.  Returns 0, or the error
 * number and what failed.
 */
int ptl_sampling_start(struct ptl_sampling *sampling,
		       const struct ptl_sampled_target *target,
		       const char **what);

/* As an event: that there are timers; or why all was refused. */
void ptl_sampling_tell_begin(struct ptl_sampling *sampling, trace_id_t trid);

/* Records what has come. */
void ptl_sampling_take(struct ptl_sampling *sampling, trace_id_t trid);

/* The trace is going to be stopped: has what is older come, for a second at
 * most; and it has been started again. */
void ptl_sampling_pause(struct ptl_sampling *sampling, trace_id_t trid);
void ptl_sampling_resume(struct ptl_sampling *sampling);

/* Has the rest come, for some seconds at most, and ends it. */
void ptl_sampling_finish(struct ptl_sampling *sampling, trace_id_t trid);

#endif
