/* SPDX-License-Identifier: MIT */
/* A slice of a timeline: something of one track, from a time to another. */
#ifndef PTL_TOOLS_PAGE_SLICE_H
#define PTL_TOOLS_PAGE_SLICE_H

#include <stdint.h>

/* Deeper than that, slices share the last lane. */
#define PTL_SLICES_LANES 64

enum {
	PTL_SLICE_FAILED = 1,
	PTL_SLICE_OPEN = 2, /* no end of it was seen */
};

struct ptl_slice {
	int64_t begin, end; /* ns since the first event */
	int64_t took;	    /* the longest of its events; -1: not known */
	uint32_t track, nr; /* nr: of events */
	uint32_t name, text, stack;
	uint32_t file;	       /* it is about; 0: none */
	uint32_t context;      /* its thread is in; 0: none */
	uint32_t numbers : 24; /* where they are, in units; 0: none */
	uint32_t flags : 2;
	uint32_t lane : 6; /* when they have a place */
};

/* As qsort() asks: by track and begin; what contains others comes before them.
 */
int ptl_slice_compare(const void *left, const void *right);

/* The ends of the slices that contain the current one. */
struct ptl_slice_nest {
	int64_t end[PTL_SLICES_LANES];
	unsigned int nr;
	uint32_t track;
};

/* The lane of a slice; they come sorted. */
unsigned int ptl_slice_lane(struct ptl_slice_nest *nest,
			    const struct ptl_slice *slice);

#endif
