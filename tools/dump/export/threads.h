/* SPDX-License-Identifier: MIT */
/*
 * The processes and threads of logs with their names, learned from events as
 * they pass.  What is kept grows with their number.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_THREADS_H
#define PTL_TOOLS_DUMP_EXPORT_THREADS_H

#include "tools/read/merge.h"
#include "tools/read/view.h"

struct ptl_span;

struct ptl_process {
	struct ptl_process *next;
	const struct ptl_source *source;
	pid_t pid;
	unsigned int pidns;
	/* Which log and pid namespace the number is from; 0: of the first log
	 * that of its controller. */
	unsigned int numbering;
	uint64_t number; /* of all processes and threads: 1, 2 ... */
	char *name;	 /* of its program; NULL: not known */
	bool is_told;	 /* for the format: it has written the name */
	bool is_begun;	 /* an event of its own was seen */
	bool is_ended;
	uint64_t flow; /* of the fork that made it, until its program starts */
	bool is_stepped; /* something else was before that */
	struct ptl_thread *threads;
	void *extra; /* the format's */
};

struct ptl_thread {
	struct ptl_thread *next, *sibling;
	struct ptl_process *process;
	pid_t tid;
	uint64_t number;
	char *name;
	bool is_told;
	void *extra;	       /* the format's */
	struct ptl_span *span; /* see spans.h */
	size_t nr_spans, spans_room;
};

struct ptl_threads;

struct ptl_threads *ptl_threads_new(const struct ptl_merge *merge);
void ptl_threads_free(struct ptl_threads *threads);

/*
 * Takes each event once, in order, and returns its thread.  *flow is the number
 * of a fork that the event tells of, else 0.
 */
struct ptl_thread *ptl_threads_learn(struct ptl_threads *threads,
				     const struct ptl_view *view,
				     uint64_t *flow);

/* What readers of several hosts see: "HOST: PROGRAM"; the program, of one;
 * NULL: it is not known.  Valid until the next call. */
const char *ptl_threads_title(const struct ptl_process *process);

/* All processes in the order in which they were met: NULL for the first. */
struct ptl_process *ptl_threads_next(struct ptl_threads *threads,
				     struct ptl_process *process);

/*
 * The arrow from a fork to what the child does first, and on to the program
 * that it starts.  Returns its number if the event is one of these, else 0.
 */
uint64_t ptl_threads_flow(struct ptl_process *process,
			  const struct ptl_view *view, bool *is_last);

#endif
