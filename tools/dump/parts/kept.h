/* SPDX-License-Identifier: MIT */
/*
 * Pieces of lines that repeat, as they were written lately: who recorded an
 * event, and where.
 */
#ifndef PTL_TOOLS_DUMP_PARTS_KEPT_H
#define PTL_TOOLS_DUMP_PARTS_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/out.h"
#include "tools/model/view.h"

#define PTL_KEPT 512
#define PTL_KEPT_BYTES 256

/* What the piece is made from, all of it. */
struct ptl_kept_key {
	const void *what, *where;
	uint64_t number, other;
};

/* Host, program, rank, process and thread; place and file. */
struct ptl_kept_key ptl_kept_who(const struct ptl_view *view);
struct ptl_kept_key ptl_kept_where(const struct ptl_view *view);

static inline bool ptl_kept_is(const struct ptl_kept_key *a,
			       const struct ptl_kept_key *b)
{
	return a->what == b->what && a->where == b->where &&
	       a->number == b->number && a->other == b->other;
}

struct ptl_kept {
	struct ptl_kept_key key;
	size_t start, size; /* 0: nothing is kept */
	char bytes[PTL_KEPT_BYTES];
};

/*
 * Writes the piece if it is kept, and returns NULL.  If not, it has to be
 * written now, and ptl_kept_end() called behind it.
 */
struct ptl_kept *ptl_kept_put(struct ptl_kept lately[PTL_KEPT],
			      const struct ptl_kept_key *key,
			      struct ptl_out *out);
void ptl_kept_end(struct ptl_kept *kept, const struct ptl_out *out);

#endif
