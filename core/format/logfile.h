/* SPDX-License-Identifier: MIT */
/* What is in a log, byte for byte; libptrace-format(5) says more. */
#ifndef PTL_CORE_FORMAT_LOGFILE_H
#define PTL_CORE_FORMAT_LOGFILE_H

#include "core/format/layout.h"

/* The log.  Byte order and word size are the recording machine's. */
#define PTL_LOG_MAGIC "\211PTLOG\r\n" /* no text file, no 7-bit copy */
#define PTL_LOG_MAJOR 1
#define PTL_LOG_MINOR 10

/* Of the host, when the log was begun.  What is not known is 0, or empty. */
struct ptl_log_host {
	char machine[40]; /* /etc/machine-id */
	char zone[48];	  /* its time zone, as TZ can be set to it */
	/* CLOCK_REALTIME - CLOCK_MONOTONIC, by which the anchors are made; of
	 * the first time namespace. */
	uint64_t clock_offset;
	uint64_t clock_error; /* ns: how far CLOCK_REALTIME may be off */
	uint32_t clock_sync;  /* PTL_SYNC_* */
	uint32_t check;	      /* ptl_log_check() of what is before it */
};
static_assert(sizeof(struct ptl_log_host) == 112, "log ABI");

#define PTL_SYNC_KEPT 1u  /* somebody keeps the clock right */
#define PTL_SYNC_ALONE 2u /* nobody does: clock_error means nothing */

struct ptl_log_head {
	char magic[8];
	uint32_t byte_order;
	uint16_t major;
	uint16_t minor;
	uint32_t head_size;
	uint32_t word_size; /* sizeof(long) */
	uint64_t stream;    /* its id, for recovery */
	char boot[40];	    /* the kernel's boot id, for recovery */
	uint32_t clock;	    /* PTL_CLOCK_* */
	uint32_t uid;
	char host[72];
	struct ptl_shm_attr attr;
	struct ptl_shm_anchor anchor[2];
	uint64_t ring_slot;  /* LOOP: bytes of a slot of the ring, or 0 */
	uint32_t ring_slots; /* the ring is so many, right behind this head */
	/* Where the packet that ends it could not be written: why, and the
	 * totals; cut_error is 0 otherwise.  All in one sector with `check'. */
	uint32_t cut_error;
	uint64_t cut_lost; /* 576 */
	uint32_t cut_processes;
	uint32_t cut_untraced;
	uint64_t cut_stacks;	 /* since minor 3 */
	uint32_t cut_refused;	 /* since minor 4 */
	uint32_t cut_hot;	 /* since minor 10 */
	uint64_t cut_unselected; /* since minor 8 */
	uint32_t check;		 /* ptl_log_check() of what is before it */
	uint32_t reserved1;
	struct ptl_log_host where; /* since minor 6; 624 */
};
static_assert(offsetof(struct ptl_log_head, cut_lost) == 576, "log ABI");
static_assert(offsetof(struct ptl_log_head, where) == 624, "log ABI");
static_assert(sizeof(struct ptl_log_head) == 736, "log ABI");

#define PTL_LOG_HEAD_LEAST 624 /* before minor 6 */

#define PTL_PACKET_MAGIC 0x504c5450u /* "PTLP" */

enum ptl_packet_kind {
	PTL_PACKET_EVENTS = 1,	 /* the records of one span, or part of one */
	PTL_PACKET_TYPES = 2,	 /* struct ptl_log_type, each padded to 8 */
	PTL_PACKET_CLOCK = 3,	 /* struct ptl_shm_anchor[] */
	PTL_PACKET_END = 4,	 /* struct ptl_log_end */
	PTL_PACKET_VOID = 5,	 /* nothing: what stands in it counts no more */
	PTL_PACKET_LOSS = 6,	 /* struct ptl_log_loss */
	PTL_PACKET_UNTRACED = 7, /* struct ptl_untraced */
	PTL_PACKET_ENCLOSED = 8, /* struct ptl_log_enclosed */
};

/* Of records of the same time: which packet comes first. */
#define PTL_RANK_EVENT 0u
#define PTL_RANK_BEFORE 1u /* RESUME: right before the next event */
#define PTL_RANK_AFTER 2u  /* STOP: nothing after it */
#define PTL_RANK_BITS 0xffu
/* Some record is of a call that began before a record that is in front of it:
 * of what was inside of it, or of a handler.  Since minor 5. */
#define PTL_PACKET_NESTED 0x100u
/* Of its events none is needed to understand those of other packets: all are of
 * types that ptl_record_is_plain() says.  Since minor 6. */
#define PTL_PACKET_PLAIN 0x200u

/* `size' counts this header and is a multiple of 8. */
struct ptl_log_packet {
	uint32_t magic;
	uint32_t kind;
	uint64_t size;
	uint64_t first; /* counter of the first record, or when the first call
			 * in it began */
	uint64_t last;	/* counter of the last record */
	uint32_t nr_events;
	uint32_t chunk;	     /* where it was copied from, for recovery: */
	uint64_t chunk_life; /* its generation comes round again */
	uint64_t chunk_end;  /* read offset after it */
	struct ptl_shm_span span;
	uint32_t rank;	/* PTL_RANK_*, and PTL_PACKET_* */
	uint32_t check; /* ptl_log_check() of what is before it */
};
static_assert(sizeof(struct ptl_log_packet) == 96, "log ABI");

/* An event type: then the name and the fields, both with their nulls. */
struct ptl_log_type {
	uint32_t size; /* of this and the strings, a multiple of 8 */
	uint32_t id;
};

struct ptl_log_end {
	uint64_t events;
	uint64_t lost;
	uint32_t processes;
	int32_t status[7];   /* struct posix_trace_status_info, in order */
#define PTL_LOG_END_ERROR 4  /* of them: why it could not be written, or 0 */
	uint64_t discarded;  /* events the log had no room for */
	uint64_t stacks_cut; /* for want of memory to unwind on */
	uint64_t refused;    /* names of event types; since minor 4 */
	/* 0: its controller completed it; else 1 + the processes that were
	 * still traced when another did, and went on.  Since minor 7. */
	uint64_t left;
	/* Calls of libc that were not recorded since they did not pass the
	 * stream's selection.  Since minor 8. */
	uint64_t unselected;
	/* Functions that were not recorded any more, since they were called too
	 * often.  Since minor 10. */
	uint64_t hot;
};
static_assert(sizeof(struct ptl_log_end) == 96, "log ABI");

/* A LOOP log that came round: since when it has lost events. */
struct ptl_log_loss {
	uint64_t since; /* counter of the first event lost */
	uint32_t quiet; /* 1: OVERFLOW is filtered out, 2: RESUME is */
	uint32_t reserved;
};
static_assert(sizeof(struct ptl_log_loss) == 16, "log ABI");

/* What belongs to the log and is no event, behind its end: then a name with its
 * null, padded to 8, and so many bytes.  Since minor 9. */
struct ptl_log_enclosed {
	uint64_t size;
	uint32_t name_size; /* with its null */
	uint32_t reserved;
};
static_assert(sizeof(struct ptl_log_enclosed) == 16, "log ABI");

#define PTL_ENCLOSED_NAME 8192 /* no name is longer */

#endif
