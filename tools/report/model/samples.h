/* SPDX-License-Identifier: MIT */
/* Where the processor's time went, by samples of stacks: cpu:sample. */
#ifndef PTL_TOOLS_REPORT_MODEL_SAMPLES_H
#define PTL_TOOLS_REPORT_MODEL_SAMPLES_H

#include "tools/model/model.h"

/* Of a function, in all processes. */
struct ptl_sampled_function {
	const char *name;    /* "main (prog)" */
	int64_t self, total; /* ns: in it, and in what it called, too */
	uint64_t seen;	     /* the last stack that was counted for it */
};

struct ptl_samples {
	struct ptl_hash stacks; /* by stack */
	int64_t nr, cut, lost;
	int64_t all;	 /* ns */
	int64_t hz;	 /* of the last log that said so; 0: not known */
	bool has_kernel; /* they are of the kernel's time, too */
	/* Programs that may not be looked at, and why the last one. */
	int64_t nr_secure;
	const char *secure;
	/* Processes with timers of which there is not all, and why the last. */
	int64_t nr_partly;
	const struct ptl_process *partly;
	const char *partly_why;

	/* After the last event: those with the most in themselves first. */
	struct ptl_sampled_function *function;
	size_t nr_functions;
};

void ptl_samples_begin(struct ptl_samples *samples);
/* Of a program that may not be looked at? */
bool ptl_samples_is_secure(const char *reason);

void ptl_samples_learn(struct ptl_samples *samples,
		       const struct ptl_step *step);

/* After the last event: finds the functions; again, if there are more. */
void ptl_samples_find(struct ptl_samples *samples);
void ptl_samples_free(struct ptl_samples *samples);

#endif
