/* SPDX-License-Identifier: MIT */
/*
 * Of a log that is written, the part beside the compressed file
 * (tools/read/packed.h), frames for that.
 */
#ifndef PTL_TOOLS_MONITOR_OUTPUT_FRAMING_H
#define PTL_TOOLS_MONITOR_OUTPUT_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/format/logfile.h"

struct ptl_framing {
	int part, packed; /* descriptors */
	uint64_t done;	  /* bytes of the log that are in frames, which take */
	uint64_t end;	  /* so many of the file */
	uint64_t reserved;
	unsigned char *raw, *out; /* a frame before and after */
	size_t raw_room, out_room;
	size_t ahead; /* so much of the part is in `raw', from `done' on */
	/* Packets of events that are in frames, and still in the part, from
	 * there on; of size 0: none. */
	struct ptl_log_packet stand;
	uint64_t stand_at;
	bool is_odd;   /* the log makes no sense: cut anywhere */
	bool is_short; /* of room on the disk, or that is not known */
	int error;     /* of the last write; 0: none */
};

/* Goes on behind the frames that the file has whole; the rest of it, which a
 * controller that was killed has begun, is cut off.  0 or the error number. */
int ptl_framing_begin(struct ptl_framing *frames, int part, int packed);

/*
 * Writes the frames that are due; of the part only what is before `limit' is
 * whole.  Last: all of it.  True: there may be more to do at once; else also if
 * it cannot be written (error).
 */
bool ptl_framing_step(struct ptl_framing *frames, uint64_t limit, bool last);

/* Nothing more comes.  0: the file has all of the log. */
int ptl_framing_end(struct ptl_framing *frames, uint64_t size);

#endif
