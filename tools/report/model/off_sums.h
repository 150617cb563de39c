/* SPDX-License-Identifier: MIT */
/* Times off the processor summed up: by program, reason and place. */
#ifndef PTL_TOOLS_REPORT_MODEL_OFF_SUMS_H
#define PTL_TOOLS_REPORT_MODEL_OFF_SUMS_H

#include "tools/report/model/strands.h"

/* A thread while it runs one program. */
struct ptl_off_thread {
	const struct ptl_process *process;
	const struct ptl_label *label;
	const char *name; /* of the thread; NULL: not known */
	pid_t tid;
	int64_t sampled; /* ns outside of the kernel, by samples; -1: none */
	/* Of all of the thread, also of programs before, ns; on is -1 if it is
	 * not known. */
	int64_t on, off, preempted, brief, unknown;
	int64_t times, preempted_times, brief_times;
};

/* What a thread has of a sum: as one that was off, or who made others wait. */
struct ptl_off_share {
	struct ptl_off_share *next;
	const char *name; /* interned: "cc1[41/42]" */
	int64_t time;
	uint64_t nr;
	bool is_known;
};

/* Of one program: how long it was off for one reason at one place. */
struct ptl_off_sum {
	const char *program, *why; /* interned */
	const char *where;	   /* or NULL */
	bool is_preempted;
	bool is_lock;
	uint64_t nr, nr_woken; /* of so many it is known who woke them */
	int64_t time, max;     /* ns */
	int64_t wake;	       /* ns from the wake-up to running, of these */
	struct ptl_off_share *threads, *wakers; /* the longest first */
};

/* A time that a thread was off. */
struct ptl_off_time {
	const struct ptl_off_thread *thread;
	int64_t begin, end; /* ns since the first event */
	bool is_preempted;
	bool is_page; /* it waited for a page, at `site' */
	/* What the thread is in: the event's name, or the function's; NULL: it
	 * is not known. */
	const char *call;
	const struct ptl_wait *wait; /* of a call that can wait; or NULL */
	const struct ptl_site *site;
};

struct ptl_off_sums;

/* When all waits are known. */
struct ptl_off_sums *ptl_off_sums_new(const struct ptl_off_time *time,
				      size_t nr);
void ptl_off_sums_free(struct ptl_off_sums *sums);

/* NULL before the first, and behind the last. */
struct ptl_off_sum *ptl_off_sums_next(const struct ptl_off_sums *sums,
				      const struct ptl_off_sum *sum);

/* "cc1[41/42]"; interned. */
const char *ptl_off_thread_name(const struct ptl_off_thread *thread);

#endif
