/* SPDX-License-Identifier: MIT */
/*
 * What processes have allocated: how much at once, where, and what they did not
 * free.  Sizes are those that were asked for.
 */
#ifndef PTL_TOOLS_MODEL_HEAPS_H
#define PTL_TOOLS_MODEL_HEAPS_H

#include "tools/model/blocks.h"
#include "tools/lib/curve.h"
#include "tools/model/model.h"

/* Frames of a call stack by which allocations are told apart. */
#define PTL_HEAP_FRAMES 8

/* A place where a program in a process allocates: by frames, or as it is asked
 * for. */
struct ptl_heap_site {
	struct ptl_heap *heap;
	const struct ptl_site *const *frame; /* innermost first */
	size_t nr_frames;
	void *at; /* what was said; NULL: it is by frames */

	uint64_t nr, nr_temporary; /* freed by the thread's next call, as
				      realloc() frees what it replaces; where
				      the site is by frames */
	int64_t bytes;		   /* Σ of all */
	int64_t live, at_peak;	   /* bytes; when the whole heap was largest */
	uint64_t live_blocks;
	uint64_t peak; /* which of the peaks at_peak is of */
};

/* Of a program in a process; a fork child's begins empty. */
struct ptl_heap {
	const struct ptl_process *process;
	const struct ptl_label *program;
	bool is_replaced; /* by exec: what it had is gone, not leaked */
	struct ptl_blocks blocks;
	int64_t live, peak, peak_at;
	struct ptl_curve curve; /* of what is live */
	uint64_t peaks;		/* how often it was larger than ever */
	uint64_t nr, nr_freed, nr_failed;
	uint64_t nr_foreign; /* freed, and allocated before or elsewhere */
};

struct ptl_heaps;

struct ptl_heaps *ptl_heaps_new(void);
void ptl_heaps_free(struct ptl_heaps *heaps);

/* at: what places are told apart by; NULL: frames. */
void ptl_heaps_learn(struct ptl_heaps *heaps, const struct ptl_step *step,
		     void *at);

/* After the last event: what there is, and what was then. */
void ptl_heaps_end(struct ptl_heaps *heaps);
const struct ptl_heap *ptl_heaps_next(const struct ptl_heaps *heaps,
				      const struct ptl_heap *heap);
const struct ptl_heap_site *
ptl_heaps_next_site(const struct ptl_heaps *heaps,
		    const struct ptl_heap_site *site);

#endif
