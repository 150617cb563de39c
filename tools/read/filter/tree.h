/* SPDX-License-Identifier: MIT */
/* Processes and all that descends from them, as process:fork tells it. */
#ifndef PTL_TOOLS_READ_FILTER_TREE_H
#define PTL_TOOLS_READ_FILTER_TREE_H

#include <trace.h>

#include <stdbool.h>

#include "tools/lib/args/decode.h"

struct ptl_tree;

struct ptl_tree *ptl_tree_new(void);

/* A root; is_of_any: in whatever pid namespace. */
void ptl_tree_add_root(struct ptl_tree *tree, pid_t pid, unsigned int pidns,
		       bool is_of_any);

/* Reads a process:fork. */
void ptl_tree_learn(struct ptl_tree *tree,
		    const struct posix_trace_event_info *event,
		    const struct ptl_args *args);

bool ptl_tree_has(const struct ptl_tree *tree, pid_t pid, unsigned int pidns);

#endif
