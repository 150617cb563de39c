/* SPDX-License-Identifier: MIT */
/*
 * Calls inside of calls: of each thread those that have begun and not ended.
 * Calls are those of functions (call:enter, call:exit) and those of libc that
 * say how long they took.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_NESTS_H
#define PTL_TOOLS_REPORT_MODEL_NESTS_H

#include "tools/report/model/hist.h"
#include "tools/report/model/model.h"

struct ptl_function {
	const char *name, *library; /* NULL: not known */
	bool is_libc;		    /* events of ours: errors are known */
	bool is_entry_only;	    /* when it returns is not recorded */
	uint64_t nr, nr_open;	    /* nr_open: of which no end was seen */
	uint64_t nr_failed;
	int64_t total; /* of calls that are inside no other of it that ended */
	int64_t self;  /* without the calls inside of them */
	struct ptl_hist hist;
};

/* Calls that ended while others of the function went on around them: they count
 * if none of those ends. */
struct ptl_ended {
	void *of; /* the view's, as of a frame */
	int64_t duration;
};

/* Calls of a function in a thread that have not ended. */
struct ptl_active {
	unsigned int nr;
	struct ptl_ended *ended;
	size_t nr_ended, room;
	size_t first; /* of those directly inside of the innermost call */
};

struct ptl_frame {
	struct ptl_function *function;
	int64_t begin, end;	   /* end is INT64_MAX while it is not known */
	size_t outer;		   /* the one around it whose end is known: its
				    * number + 1; 0: none */
	int64_t inside;		   /* Σ of the calls directly inside */
	struct ptl_active *active; /* of this function in this thread */
	size_t first_before;	   /* active->first, when it began */
	void *of;		   /* the view's */
};

struct ptl_nests {
	enum ptl_task_user user;
	void *of; /* the view's, for the two functions */

	/* A call begins inside of another, or NULL; and it ends, after so many
	 * ns; -1: its end was not seen.  Either may be NULL. */
	void (*enter)(void *of, const struct ptl_step *step,
		      const struct ptl_frame *outer, struct ptl_frame *frame);
	void (*leave)(void *of, const struct ptl_frame *outer,
		      const struct ptl_frame *frame, int64_t duration);

	/* Such calls of a function took so long that are part of its total; of
	 * is what their frames had.  May be NULL. */
	void (*total)(void *of_frame, int64_t duration);

	struct ptl_hash functions; /* struct ptl_function */
	struct ptl_hash active;	   /* by thread and function */
	bool has_begins;	   /* there are call:enter events */
	bool has_ends;		   /* there are call:exit events */
	uint64_t losses;	   /* how often events were lost */
};

void ptl_nests_begin(struct ptl_nests *nests);
void ptl_nests_learn(struct ptl_nests *nests, const struct ptl_step *step);

/* After the last event: what has begun ends, as far as that is known. */
void ptl_nests_end(struct ptl_nests *nests, struct ptl_model *model);
void ptl_nests_free(struct ptl_nests *nests);

#endif
