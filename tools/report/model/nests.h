/* SPDX-License-Identifier: MIT */
/*
 * What calls amount to, those inside of others: of functions (call:enter,
 * call:exit) and of libc, where it says how long they took.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_NESTS_H
#define PTL_TOOLS_REPORT_MODEL_NESTS_H

#include "tools/lib/hist.h"
#include "tools/model/model.h"

struct ptl_function {
	const char *name, *library; /* NULL: not known */
	bool is_libc;		    /* events of ours: errors are known */
	uint64_t nr, nr_open;	    /* nr_open: of which no end was seen */
	uint64_t nr_entries;	    /* of which it will not be told */
	uint64_t nr_failed;
	uint64_t nr_hot; /* processes that do not record it any more */
	int64_t hot_at;	 /* the first of them, ns */
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

/* A frame, which may be over since. */
struct ptl_frame_ref {
	struct ptl_frame *frame;
	uint64_t serial;
};

struct ptl_frame {
	struct ptl_frame *unused; /* the next */
	uint64_t serial;	  /* 0: it is unused */
	struct ptl_function *function;
	int64_t before;		   /* Σ self of its thread when it began */
	int64_t counted;	   /* Σ of those in the total without it */
	struct ptl_frame_ref same; /* the one around it of the function */
	struct ptl_frame_ref *active, last; /* see enter() */
	struct ptl_ended *ended;
	size_t nr_ended, room;
	void *of; /* the view's */
};

struct ptl_nests {
	void *of; /* the view's, for the two functions */

	/* A call begins inside of another, or NULL; and it ends, after so many
	 * ns, of which `self' are those of no other; -1: its end was not seen.
	 * Either may be NULL. */
	void (*enter)(void *of, const struct ptl_step *step,
		      const struct ptl_frame *outer, struct ptl_frame *frame);
	void (*leave)(void *of, const struct ptl_frame *outer,
		      const struct ptl_frame *frame, int64_t duration,
		      int64_t self);

	/* Calls that were no events, from the place of the step.  May be NULL.
	 */
	void (*summary)(void *of, const struct ptl_step *step,
			const struct ptl_function *function, uint64_t nr,
			int64_t total);

	/* Such calls of a function took so long that are part of its total; of
	 * is what their frames had.  May be NULL. */
	void (*total)(void *of_frame, int64_t duration);

	struct ptl_calls_user user;
	struct ptl_hash functions; /* struct ptl_function */
	struct ptl_hash active;	   /* the innermost, by thread and function */
	struct ptl_frame *unused;
	uint64_t serials;
	bool has_begins; /* there are call:enter events */
	bool has_ends;	 /* there are call:exit events */
};

/* `of' and the functions are set. */
void ptl_nests_begin(struct ptl_nests *nests, struct ptl_model *model);
void ptl_nests_learn(struct ptl_nests *nests, const struct ptl_step *step);
/* Time that is not negative; no more than there can be. */
void ptl_nests_add_time(int64_t *sum, int64_t time);

void ptl_nests_free(struct ptl_nests *nests);

#endif
