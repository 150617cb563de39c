/* SPDX-License-Identifier: MIT */
/*
 * What each thread did while others waited for it: the strand of a thread has
 * all that it waited for, and of a wait is known, where it can be known, who
 * ended it and when.  So it can be asked what came before anything (chain.h).
 */
#ifndef PTL_TOOLS_REPORT_MODEL_STRANDS_H
#define PTL_TOOLS_REPORT_MODEL_STRANDS_H

#include "tools/model/files/files.h"
#include "tools/model/model.h"

/* What a thread waits for. */
enum ptl_wait_kind {
	PTL_WAIT_LOCK,
	PTL_WAIT_CONDITION, /* and semaphores */
	PTL_WAIT_BARRIER,
	PTL_WAIT_THREAD, /* its end */
	PTL_WAIT_CHILD,	 /* the end of a process */
	PTL_WAIT_DATA,	 /* from another process or thread, in a pipe */
	PTL_WAIT_ROOM,	 /* for it */
	PTL_WAIT_SIGNAL, /* it was interrupted */
	PTL_WAIT_SLEEP,
	PTL_WAIT_CALL, /* of another function: for a disk, the network */
};

struct ptl_wait {
	struct ptl_strand *strand;
	int64_t begin, end; /* ns since the first event */
	enum ptl_wait_kind kind;
	const char *what; /* interned: the object, or the event's name */
	const struct ptl_process *child; /* of a CHILD; NULL: not known */
	const struct ptl_site *site;

	struct ptl_strand *waker; /* NULL: it is not known who ended it */
	int64_t woken;		  /* when that was */
	int64_t told;		  /* the time of the event that says so */

	/* Private: of those for the same object that may be ended yet. */
	struct ptl_wait *next;
	bool is_first; /* ended by the first that may have, not the last */
	bool is_over;  /* the thread has let the lock go since */
};

/* A thread while it runs one program. */
struct ptl_strand {
	struct ptl_strand *next; /* in the order of their first events */
	const struct ptl_process *process;
	const struct ptl_label *label; /* the program */
	pid_t tid;
	const char *name; /* of the thread; NULL: not known */
	uint64_t life;
	int64_t begin, end;
	struct ptl_strand *from; /* who began it; NULL: not known */
	int64_t from_at;
	struct ptl_wait **wait; /* in the order in which they began */
	size_t nr, room;
};

struct ptl_strands;

struct ptl_strands *ptl_strands_new(void);
void ptl_strands_free(struct ptl_strands *strands);
void ptl_strands_learn(struct ptl_strands *strands,
		       const struct ptl_step *step);

/* There are no events more. */
void ptl_strands_end(struct ptl_strands *strands);

/* All of them: NULL before the first, and behind the last. */
struct ptl_strand *ptl_strands_next(const struct ptl_strands *strands,
				    const struct ptl_strand *strand);

/* The thread of the process that ended last, of those nobody has begun. */
struct ptl_strand *ptl_strands_last(const struct ptl_strands *strands);

/* Waits that were shorter are not known; ns. */
int64_t ptl_strands_least(const struct ptl_strands *strands);

/* "the end of cc1", "mutex &big (prog)"; interned. */
const char *ptl_wait_name(const struct ptl_wait *wait);

/* The name of the program. */
const char *ptl_strand_program(const struct ptl_strand *strand);

#endif
