/* SPDX-License-Identifier: MIT */
/* What processes have said of themselves (posix_trace_set_tag_np()). */
#ifndef PTL_TOOLS_MODEL_TAGS_H
#define PTL_TOOLS_MODEL_TAGS_H

#include "tools/lib/args/decode.h"
#include "tools/read/filter/where.h"

/* As many are kept of a process; of more the first. */
#define PTL_TAGS_MAX 32

/* Of a process: all 0 at first. */
struct ptl_tags {
	struct ptl_tag *first;
	const char *shown; /* NULL: there never were any */
};

/* By a process:tag. */
void ptl_tags_learn(struct ptl_tags *tags, const struct ptl_args *args);
void ptl_tags_free(struct ptl_tags *tags);

/* " {region=eu shard=7}" behind a name, or "" where there are none. */
const char *ptl_tags_shown(const struct ptl_tags *tags);

#endif
