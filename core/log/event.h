/* SPDX-License-Identifier: MIT */
/* What is read of a log: its events, and how it is. */
#ifndef PTL_CORE_LOG_EVENT_H
#define PTL_CORE_LOG_EVENT_H

#include "core/format/layout.h"
#include "core/format/logfile.h"
#include "core/format/record.h"

/* An event as read, from a log or a live stream. */
struct ptl_event {
	uint32_t id;
	uint32_t pid;
	uint32_t tid;
	uint32_t image;
	uint32_t pidns; /* 0: the controller's */
	uint64_t thread;
	uint64_t addr;
	uint64_t counter;
	uint64_t since;	  /* counter when the call began; 0: not known */
	uint64_t when;	  /* of a log: the counter that its ns is made of */
	uint64_t ns;	  /* CLOCK_REALTIME, when it began */
	int64_t duration; /* ns, or -1 */
	bool truncated;	  /* when it was recorded */
	const void *data; /* valid until the next call */
	size_t data_size;
	const uint64_t *stack; /* as data; at most PTL_STACK_MAX */
	size_t nr_stack;
};

/* When a call began, and that it is none of its data; in a log that says so,
 * of a stream that began at `origin'. */
PTL_INLINE void ptl_event_take_since(struct ptl_event *event, bool timed,
				     uint64_t origin)
{
	event->since = 0;
	if (!ptl_record_is_call(event->id) || !timed || event->truncated ||
	    event->data_size < PTL_RECORD_BEGIN)
		return;
	event->since = ptl_record_since(event->data, event->data_size,
					event->counter, origin);
	event->data_size -= PTL_RECORD_BEGIN;
}

/*
 * Headers are looked at when the log is opened, the records inside a packet
 * when their turn comes: bad bytes among them are reported from then on.  A cut
 * last packet is not bad; its whole records are events.
 */
struct ptl_log_reader_state {
	bool complete; /* the end packet is there */
	int error;     /* why some of it could not be read, or 0 */
	uint64_t events;
	uint64_t size;		/* of the file */
	uint64_t good_end;	/* end of the last whole packet */
	uint64_t bad_offset;	/* the first byte not understood */
	uint64_t bad_size;	/* how many in all; 0: none */
	uint64_t event_bytes;	/* of packets of events */
	uint64_t first, last;	/* counters in them; 0: there is none */
	uint64_t lost_since;	/* LOOP, came round: its first event; or 0 */
	uint32_t quiet;		/* as struct ptl_log_loss has it */
	struct ptl_log_end end; /* if complete */
	struct ptl_untraced untraced;
};

#endif
