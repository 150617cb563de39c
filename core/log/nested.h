/* SPDX-License-Identifier: MIT */
/*
 * The records of a packet in the order in which their events began, where that
 * is not the order in which they stand: the record of a call comes behind those
 * of what was inside of it, or of a handler that interrupted it.
 */
#ifndef PTL_CORE_LOG_NESTED_H
#define PTL_CORE_LOG_NESTED_H

#include "core/format/record.h"

struct ptl_nested_place {
	uint64_t since;
	size_t at; /* of the record, or of the stack that belongs to it */
};

struct ptl_nested {
	struct ptl_nested_place *place; /* NULL: they stand in order */
	size_t nr, next;
};

/* When the event of a record began that is recorded at `counter'. */
PTL_INLINE uint64_t ptl_nested_since(const struct ptl_record *rec,
				     uint64_t counter, uint64_t origin)
{
	uint64_t since = 0;

	if (PTL_UNLIKELY(ptl_record_is_call(rec->id)) && !rec->truncated)
		since = ptl_record_since(rec->data, rec->data_size, counter,
					 origin);
	return since ? since : counter;
}

/*
 * Of the records from `at' on in a buffer that holds a packet, up to where they
 * make no sense any more, which is left in *end.  0 or ENOMEM; in either case
 * nested->place is to be freed.
 */
int ptl_nested_sort(struct ptl_nested *nested, const unsigned char *buf,
		    size_t at, size_t size, uint64_t span_counter,
		    uint64_t origin, size_t *end);

#endif
