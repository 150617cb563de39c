/* SPDX-License-Identifier: MIT */
/* Paths of calls, as a tree: what each is worth in itself, and with all that is
 * below it. */
#ifndef PTL_TOOLS_REPORT_MODEL_PATHS_H
#define PTL_TOOLS_REPORT_MODEL_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/hash.h"
#include "tools/model/processes.h"

/* Deeper ones are one node, "[deeper]"; and below a path those that come when
 * there are so many, "[more]". */
#define PTL_PATHS_DEPTH 200
#define PTL_PATHS_MAX (1 << 19)

struct ptl_path {
	const char *name;
	struct ptl_path *parent, *child, *sibling;
	unsigned int depth;	      /* of the root: 0 */
	bool is_host;		      /* below it are programs */
	bool is_program;	      /* below it are calls */
	bool is_rest;		      /* paths that are not told apart */
	const struct ptl_label *late; /* has the name, later; or NULL */
	uint64_t nr, nr_open;	      /* calls; of which no end was seen */
	int64_t self;
	int64_t total;	   /* after ptl_paths_end() */
	int64_t ns, bytes; /* in itself, where they are counted */
	int64_t at_peak, leaked;
};

struct ptl_paths {
	struct ptl_hash map; /* struct ptl_path, by parent and name */
	struct ptl_path root;
	bool folds;		 /* what calls itself is one node */
	bool is_deeper, is_full; /* there is a [deeper], a [more] */
};

void ptl_paths_begin(struct ptl_paths *paths);
void ptl_paths_free(struct ptl_paths *paths);

/* The path that goes on with that name, which is the same pointer for the same
 * name. */
struct ptl_path *ptl_paths_get(struct ptl_paths *paths, struct ptl_path *parent,
			       const char *name);

/* Sums up, and sorts children by what they are worth, the largest first. */
void ptl_paths_end(struct ptl_paths *paths);

/* A path as a flame graph shows it; or those below a path that are too narrow
 * to be seen, which share one box. */
struct ptl_path_box {
	const char *name;
	unsigned int number, parent; /* the root is 0, and its own parent */
	unsigned int depth;
	int64_t total, self, of_parent;
	int64_t at; /* what the root is worth to the left of it */
};

/* After ptl_paths_end(): shows the boxes in the order in which a tree is
 * walked, the root first; narrower are those that are worth less. */
void ptl_paths_boxes(const struct ptl_paths *paths, int64_t least,
		     void (*show)(void *to, const struct ptl_path_box *box),
		     void *to);

#endif
