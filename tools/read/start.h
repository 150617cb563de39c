/* SPDX-License-Identifier: MIT */
/*
 * Command lines that are longer than an event: see PTL_START_PARTS in
 * sysevents.h.  What comes before a process:start is kept, and put behind its
 * data, so that nobody else sees that there was more than one event.
 */
#ifndef PTL_TOOLS_READ_START_H
#define PTL_TOOLS_READ_START_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

struct ptl_start_parts;

/*
 * Takes an event of that type and its data.  True: it is a part, and no event
 * for anybody else.  *parts is NULL at first.
 */
bool ptl_start_keep(struct ptl_start_parts **parts,
		    const struct posix_trace_event_info *event,
		    const char *data, size_t size);

/*
 * What belongs behind the data of a process:start, of which there are `size'
 * bytes; NULL: nothing.  *is_all: no more than that.  Valid until the next
 * call.
 */
const char *ptl_start_rest(struct ptl_start_parts *parts,
			   const struct posix_trace_event_info *event,
			   size_t size, size_t *more, bool *is_all);

void ptl_start_free(struct ptl_start_parts *parts);

#endif
