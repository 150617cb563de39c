/* SPDX-License-Identifier: MIT */
/*
 * What a thread finds its sums by: function and place of call.  Private memory,
 * for one thread and its handlers: one that comes at any instruction finds
 * either what was there or what will be.  If both add the same key it is there
 * twice, and so are its sums: readers add them up.
 */
#ifndef PTL_CORE_RECORD_SUMS_INDEX_H
#define PTL_CORE_RECORD_SUMS_INDEX_H

#include "core/format/sums.h"

/* A function called from a place; or, from place 0, the function. */
struct ptl_sum_entry {
	uint64_t callee, place;
	struct ptl_sum_record *record; /* NULL: none yet, or no more */
	struct ptl_sum_entry *function;
	uint64_t open;	/* of a function: calls in progress */
	uint64_t least; /* ns, as in the record; UINT64_MAX: none has ended */
};

struct ptl_sum_table {
	uint32_t shift; /* of a hash, to where it may be */
	uint64_t used;
	struct ptl_sum_entry *at[];
};

#define PTL_SUM_BLOCKS 20

struct ptl_sum_index {
	struct ptl_sum_table *table;
	struct ptl_sum_entry *block[PTL_SUM_BLOCKS]; /* each twice as long */
	uint64_t used;				     /* entries of them */
};

PTL_INLINE uint64_t ptl_sum_hash(uint64_t callee, uint64_t place)
{
	return (callee ^ (place << 23 | place >> 41)) *
	       UINT64_C(0x9e3779b97f4a7c15);
}

/* The entry, if it is there. */
PTL_INLINE struct ptl_sum_entry *
ptl_sum_index_find(const struct ptl_sum_index *index, uint64_t callee,
		   uint64_t place)
{
	const struct ptl_sum_table *table = index->table;
	struct ptl_sum_entry *entry;
	uint64_t i;

	if (PTL_UNLIKELY(!table))
		return NULL;
	i = ptl_sum_hash(callee, place) >> table->shift;
	while ((entry = table->at[i]) != NULL &&
	       PTL_UNLIKELY(entry->callee != callee || entry->place != place))
		i = (i + 1) & (UINT64_MAX >> table->shift);
	return entry;
}

/* Nested: in a handler that interrupted another.  NULL: it is not there, and
 * there is no memory for it. */
struct ptl_sum_entry *ptl_sum_index_get(struct ptl_sum_index *index,
					uint64_t callee, uint64_t place,
					bool nested);

/* All entries are without a record from here on. */
void ptl_sum_index_forget(struct ptl_sum_index *index);

void ptl_sum_index_free(struct ptl_sum_index *index);

#endif
