/* SPDX-License-Identifier: MIT */
/*
 * What is known of some logs while they are read, and what the views are told
 * of each event: when, of which process and thread, how long, and whether it
 * failed.
 */
#ifndef PTL_TOOLS_MODEL_MODEL_H
#define PTL_TOOLS_MODEL_MODEL_H

#include "tools/read/merge.h"
#include "tools/read/kind.h"
#include "tools/lib/hash.h"
#include "tools/model/calls.h"
#include "tools/model/contexts.h"
#include "tools/model/processes.h"
#include "tools/model/stacks.h"
#include "tools/model/threads.h"
#include "tools/model/userspans.h"

/* A program that could not be traced. */
struct ptl_skipped {
	const char *path, *reason;
	uint64_t nr;
};

/* A process that a signal ended, with where it was: signal:crash. */
struct ptl_crash {
	const struct ptl_process *process;
	const char *program; /* that it ran then */
	pid_t tid;
	int64_t at; /* ns since the first event */
	int64_t signo, code;
	int64_t sender; /* a process; 0: nobody has sent it; -1: itself */
	bool has_address;
	uint64_t address;		 /* what a fault was about */
	const char *message, *exception; /* or NULL */
	const struct ptl_stack *stack;	 /* or NULL */
};

struct ptl_crashes {
	struct ptl_crash *crash; /* in the order of their times */
	size_t nr, room;
};

struct ptl_model {
	struct ptl_merge *merge;
	bool wants_processes;
	struct ptl_view view; /* of the event */
	size_t *stack_depth;  /* by log */
	struct ptl_processes *processes;
	struct ptl_threads *threads;
	struct ptl_calls *calls;
	struct ptl_userspans *userspans;
	struct ptl_contexts *contexts;
	struct ptl_sites sites;
	struct ptl_stacks *stacks;
	const struct ptl_stack *stack; /* of the event of that number */
	uint64_t stack_of;
	struct ptl_crashes crashes;
	struct ptl_hash untraced; /* by path and reason */
	struct ptl_hash firings;  /* of triggers: the report's */

	struct timespec first; /* of the first event: times count from it */
	int64_t last;
	uint64_t events;
	bool is_filter_known;	     /* the beginning of the trace is there */
	bool recorded[PTL_FAMILIES]; /* not filtered out for the whole time */
	bool seen[PTL_FAMILIES];

	/* Losses. */
	uint64_t lost;
	bool is_lost_unknown;
	uint64_t hot; /* functions that were called too often to be recorded */
	uint64_t unselected; /* calls that ptrace-run was not to record */
	bool is_orphaned;    /* a log whose controller was killed */
	int64_t lost_at; /* when events were lost first; -1: never, or unknown
			  */
	int64_t stopped_at; /* when recording stopped by itself, for good; -1 */
	bool is_incomplete; /* a log has no end, or is damaged */
	uint64_t open_calls; /* of which no end was seen */
	bool is_partial;     /* what came later was not wanted (--until) */
	uint64_t wanted;     /* events that the filter let pass */
	int64_t begin; /* of the time that is wanted: 0, or see ptl_model_clip()
			*/
};

/* An event.  Where nobody wants to know of processes, times and errors are not
 * known either. */
struct ptl_step {
	struct ptl_model *model;
	const struct ptl_view *view;
	const struct ptl_kind *kind;
	/* Both NULL if it is the trace's own, or nobody wanted to know. */
	struct ptl_process *process;
	struct ptl_thread *thread;
	struct ptl_thread *named; /* of a thread:name: whose it is, or NULL */
	struct ptl_moment moment;
	struct ptl_userspan *span;   /* of a span:begin or span:end; or NULL */
	int64_t now;		     /* ns since the first event */
	int64_t duration;	     /* ns; -1: not known */
	const struct ptl_arg *error; /* NULL: it did not fail */
};

void ptl_model_begin(struct ptl_model *model, struct ptl_merge *merge,
		     bool wants_processes);
void ptl_model_free(struct ptl_model *model);

/*
 * The current event of the log.  Returns false if the filter does not let it
 * pass: then it has no names, but is learned from even so.
 */
bool ptl_model_event(struct ptl_model *model, struct ptl_source *source,
		     struct ptl_filter *filter, struct ptl_step *step);

/* For how long a span has been open that has no end, by the last event; for
 * who wants to know of processes. */
int64_t ptl_model_open_for(const struct ptl_model *model,
			   const struct ptl_userspan *span);

/* After the last event. */
void ptl_model_end(struct ptl_model *model);

/*
 * After that, if only some time was wanted: processes, and what they ran, are
 * as long as they were in it, and those that were not are gone.  What a process
 * used is known of its whole life, so not of a part.
 */
void ptl_model_clip(struct ptl_model *model, const struct ptl_filter *filter);

/* How long all of it took, ns. */
static inline int64_t ptl_model_wall(const struct ptl_model *model)
{
	return model->last - model->begin;
}

/* Were events of that family not recorded?  If that is not known: no. */
bool ptl_model_lacks(const struct ptl_model *model, enum ptl_family family);

/* So many frames the log's call stacks have at most. */
size_t ptl_model_stack_depth(const struct ptl_model *model,
			     const struct ptl_source *source);

/* Where the event was recorded, with all that called it; NULL: not known. */
const struct ptl_stack *ptl_model_stack(const struct ptl_step *step);

/* Where the event was recorded; or any address of its call stack. */
const struct ptl_site *ptl_model_site(const struct ptl_step *step);
const struct ptl_site *ptl_model_site_at(const struct ptl_step *step,
					 uint64_t address);

/* From here on a function is not recorded any more, since it was called too
 * often (ptrace-run --hot).  It is where the event is. */
bool ptl_step_is_hot(const struct ptl_step *step);

/* The error's name, the same pointer for the same name. */
const char *ptl_step_error(const struct ptl_step *step);

/* A number among the arguments; `unknown' if there is none.  Of what is neither
 * a call of a function nor a signal, whose arguments are not those of its data.
 */
static inline int64_t ptl_step_field(const struct ptl_step *step,
				     enum ptl_field field, int64_t unknown)
{
	const struct ptl_arg *arg =
		ptl_kind_arg(step->kind, field, &step->view->args);

	return arg != NULL ? arg->value : unknown;
}

/* That of any name. */
int64_t ptl_step_number(const struct ptl_step *step, const char *name,
			int64_t unknown);

/* How many bytes the event allocates; 0: none, or that failed. */
int64_t ptl_step_allocated(const struct ptl_step *step);

/* An argument by the names that it is shown by, likewise. */
const char *ptl_step_words(const struct ptl_step *step, const char *name);

/* An argument that is a string, or NULL; the same pointer for the same. */
const char *ptl_step_string(const struct ptl_step *step, const char *name);

/* Likewise a path, of which what was cut ends with three dots. */
const char *ptl_step_path(const struct ptl_step *step, const char *name);

#endif
