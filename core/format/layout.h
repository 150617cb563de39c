/* SPDX-License-Identifier: MIT */
/*
 * Every byte that crosses a process boundary: the segments in the run
 * directory and the log.  All of it is foreign when read: the peer may be
 * dead, hostile, or another version.  Fixed-width integers, offsets from the
 * start of the segment, never pointers.
 *
 * The run directory is /dev/shm/ptrace-UID, mode 0700 (place.h).  In it
 *
 *   r.7        the registry: which streams trace which process: registry.h
 *   l.N        empty files, of which processes lock a byte as a sign of life
 *   s.ID       the segment of a stream: head, chunk table, log state, chunks
 *   t.ID       the table of event type names of a family of processes: names.h
 *   ctl.PID    a socket of a controller: not ours but for removing it
 *   p.ID       prototypes of functions, for the processes of stream s.ID
 *   f.ID       patches of functions, likewise: patches.h
 *
 * A stream segment:
 *
 *   0            struct ptl_shm_head       read by every recording thread
 *   table_off    struct ptl_shm_chunk[]    who owns which chunk
 *   log_off      struct ptl_shm_log        the controller's: clock, log
 *   chunks_off   nr_chunks * chunk_size    the records; those from `present'
 *                                          on are not there yet
 *
 * A chunk is a sequence of records, the first of them a span record, which
 * names the thread that wrote the records that follow it.  A zero word where a
 * record could begin means that nothing was written there, or behind it; what
 * stands there is of no meaning.  So a thread that has reserved a place stores
 * a zero behind it before anything else, and who comes upon a place that was
 * reserved and not yet bounded so (a handler) goes on in another chunk.
 *
 * A log: struct ptl_log_head, then packets up to the end of the file, each
 * headed by a struct ptl_log_packet; the last is of kind PTL_PACKET_END.
 *
 * Growth: fields are appended or take reserved space: minor + 1.  Anything
 * else: major + 1.  Readers take any minor of their own major.
 */
#ifndef PTL_CORE_FORMAT_LAYOUT_H
#define PTL_CORE_FORMAT_LAYOUT_H

#include "core/format/guests.h"
#include "core/format/select.h"

#define PTL_SHM_MAJOR 7
#define PTL_SHM_MINOR 4
#define PTL_SHM_MINOR_SELECT 3 /* from which on there is `select' */
#define PTL_BYTE_ORDER_MARK 0x01020304u

#define PTL_SHM_MAGIC_REGISTRY 0x524c5450u /* "PTLR" */
#define PTL_SHM_MAGIC_STREAM 0x534c5450u   /* "PTLS" */
#define PTL_SHM_MAGIC_NAMES 0x544c5450u	   /* "PTLT" */
#define PTL_SHM_MAGIC_BESIDE 0x464c5450u   /* "PTLF" */

#define PTL_MAX_STREAMS 64 /* TRACE_SYS_MAX: one bit each in a word */
#define PTL_NAME_SIZE 256  /* names of streams and event types, with null */
#define PTL_PATH_SIZE 4096
#define PTL_ENTRY_PROGRAM 128 /* path of a program; longer ones are cut */

/*
 * Event ids on the record: a signed number of 13 bits.  From 0 on they are
 * event types, those below PTL_ID_SHORT; the id of another type is where the
 * size is otherwise, in an extended record of PTL_ID_WIDE.  So a reader that
 * knows nothing of these passes over them.
 */
#define PTL_ID_FIRST_SYSTEM 16
#define PTL_ID_FIRST_CALL 59u /* of libc, to: */
#define PTL_ID_LAST_CALL 239u
#define PTL_ID_FIRST_EXIT 252u /* call:exit, which ends so, too, to: */
#define PTL_ID_LAST_EXIT 254u
#define PTL_ID_FIRST_USER 256
#define PTL_ID_SHORT 4096u
#define PTL_ID_LIMIT (PTL_ID_FIRST_USER + 16384)
#define PTL_ID_WIDE 0xfffffff9u
#define PTL_ID_LOST 0xfffffffau	   /* its chunk is taken over, was not read */
#define PTL_ID_STACK 0xfffffffbu   /* the stack of the event behind it */
#define PTL_ID_PAD 0xfffffffcu	   /* nothing, of the size it says */
#define PTL_ID_SPAN 0xfffffffdu	   /* struct ptl_shm_span follows */
#define PTL_ID_DONE 0xfffffffeu	   /* was read out of order */
#define PTL_ID_PENDING 0xffffffffu /* reserved, not yet committed */

/*
 * A record: two words, then, if extended, a third, then the data, padded to
 * 8 bytes.  The first word is stored twice: pending with the size before any
 * other byte of the record, and complete, by release, as the very last store.
 *
 *   word 0   size:16  id:13  committed:1  truncated:1  extended:1  time_lo:32
 *   word 1   address:48  time_hi:16
 *   word 2   size:48  address_hi:16         (extended)
 *
 * Extended: the size in word 0 is 0, or the id of PTL_ID_WIDE.
 *
 * Pending and extended: time_lo is the upper 32 bits of a size of 48, since
 * word 2 is not there yet.
 */
#define PTL_RECORD_HEADER 16
#define PTL_RECORD_HEADER_EXT 24
#define PTL_RECORD_SIZE_MAX 0xffffu
#define PTL_RECORD_ID_SHIFT 16
#define PTL_RECORD_ID_MASK 0x1fffu
#define PTL_RECORD_COMMITTED (1u << 29)
#define PTL_RECORD_TRUNCATED (1u << 30)
#define PTL_RECORD_EXTENDED (1u << 31)
#define PTL_RECORD_TIME_BITS 48
#define PTL_RECORD_ADDR_BITS 48
#define PTL_RECORD_EXT_SIZE_BITS 48

/*
 * The data of a call end with 8 bytes that are none of its fields: the counter
 * when the call began, or 0.  The record has the time of its end, so
 * that those of a thread stand in the order of their times.
 */
#define PTL_RECORD_BEGIN 8

/*
 * The data of a stack record: return addresses of 8 bytes, innermost first,
 * beginning with that of the call.  The event's record follows: both are
 * reserved together, pending as one, and committed by the stack's first word.
 */
#define PTL_STACK_MAX 64

/* The data of a span record. */
struct ptl_shm_span {
	uint32_t pid;
	uint32_t tid;
	uint64_t thread;  /* pthread_t */
	uint64_t counter; /* all 64 bits; the records carry 48 */
	uint32_t image;	  /* execs of the process so far */
	uint32_t pidns;	  /* inode of its pid namespace; 0: the controller's */
};
static_assert(sizeof(struct ptl_shm_span) == 32, "shm ABI");

/*
 * The owner of a chunk; changed by compare-and-swap only.
 *
 *   own    state:4  pinned:1  shared:1  losing:1  kept:1  0:8  generation:16
 *          0:8
 *          tid:24
 *
 *   FREE ---claim---> OPEN ---close---> CLOSED ---drained---> FREE
 *                      |  ^                |
 *              release |  | claim       |  `--LOOP takes over--> OPEN
 *                      v  |             |
 *                    PARTIAL <--unpin---'
 *                      `---drained-----> FREE
 *
 * FREE: begins with a zero word.  OPEN: thread tid alone writes to it.
 * PARTIAL: the owner left; the next claimer goes on at `used' with a span of
 * its own.  CLEANING: thread tid empties it.  Pinned: closed while a frame of
 * its owner may still write to it; not reused before the owner clears the mark
 * or is gone.  If it is not full, others then go on in it.  Shared: open for
 * one record only.  Losing: a writer takes it over and has not yet counted what
 * is lost with it; its bytes are still there.  Kept: open, and its records are
 * still changed, so that nobody reads them yet (sums.h).  The generation grows
 * whenever
 * the chunk begins anew, never 0 in use.
 *
 *   read   generation:16  taken:1  offset:47   the first byte not yet consumed
 *
 * Taken: nobody can consume it any more.
 */
#define PTL_CHUNK_FREE 0u
#define PTL_CHUNK_OPEN 1u
#define PTL_CHUNK_CLOSED 2u
#define PTL_CHUNK_PARTIAL 3u
#define PTL_CHUNK_CLEANING 4u
#define PTL_CHUNK_PINNED 0x10u
#define PTL_CHUNK_SHARED 0x20u
#define PTL_CHUNK_LOSING 0x40u
#define PTL_CHUNK_KEPT 0x80u
#define PTL_CHUNK_BITS 0xffu /* the state and the marks */
#define PTL_READ_TAKEN (UINT64_C(1) << 47)
#define PTL_USED_BITS 36
#define PTL_TID_FOREIGN 0x800000u /* of another pid namespace */

struct ptl_shm_chunk {
	_Atomic uint64_t own;
	_Atomic uint64_t read;
	_Atomic uint64_t used;	 /* events:28 bytes:36; set on close and
				  * release; events of 0: not known */
	_Atomic uint64_t seq;	 /* order of claims: the oldest is the least */
	_Atomic uint64_t span;	 /* offset + 1 of the last span; 0: none yet */
	_Atomic uint64_t base;	 /* from here on its present owner writes */
	_Atomic uint64_t life;	 /* a number no other generation of it has */
	_Atomic uint64_t logged; /* as `read': what is in the log of a LOOP
				  * stream, which is consumed before that */
};
static_assert(sizeof(struct ptl_shm_chunk) == 64, "shm ABI");

/* A process for certain: a pid alone may be used again. */
struct ptl_shm_ident {
	uint32_t pid;
	uint32_t uid;
	uint64_t pidns; /* inode of its pid namespace */
	uint64_t born;	/* CLOCK_BOOTTIME ns, when it was first seen */
};
static_assert(sizeof(struct ptl_shm_ident) == 24, "shm ABI");

/* What every segment begins with. */
struct ptl_shm_prefix {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t byte_order;
	uint32_t head_size; /* bytes of the head in this minor */
	uint64_t total_size;
	uint64_t id; /* as in the file's name */
};
static_assert(sizeof(struct ptl_shm_prefix) == 32, "shm ABI");

/* Which calls of libc a stream records that are not filtered. */
enum {
	PTL_CALLS_NONE,
	PTL_CALLS_ALL,
	PTL_CALLS_NO_HEAP, /* those of malloc() and its like are others' */
};

/* The attributes of a stream, as its creator set them. */
struct ptl_shm_attr {
	uint64_t stream_size;
	uint64_t log_size;
	uint64_t max_data;
	uint32_t stream_policy; /* POSIX_TRACE_* of <trace.h> */
	uint32_t log_policy;
	uint32_t inherited;
	uint16_t stack_depth; /* return addresses with events; 0: none */
	uint16_t calls;	      /* of libc (sysevents.h): PTL_CALLS_* */
	int64_t create_sec;
	uint32_t create_nsec;
	uint32_t resolution; /* ns */
	char name[PTL_NAME_SIZE];
	char version[64];
};
static_assert(sizeof(struct ptl_shm_attr) == 376, "shm ABI");

/*
 * Bits of ptl_shm_head.state.  Events are recorded if RUNNING alone is set. The
 * bits above count the starts: if the word is the same before and after the
 * clock is read, the stream ran at that time.
 */
#define PTL_STATE_RUNNING 1u
#define PTL_STATE_FULL 2u /* stopped by itself: UNTIL_FULL, FLUSH */
#define PTL_STATE_DEAD 4u /* shut down; let go of it */
#define PTL_STATE_BITS 7u
#define PTL_STATE_START 8u /* one start more */

/* Of stop_counter: it was stopped before, and that is recorded. */
#define PTL_STOP_TOLD UINT64_MAX

#define PTL_CLOCK_TSC 1u
#define PTL_CLOCK_MONOTONIC 2u

/* Of creator_image: the stream outlives an exec of its creator. */
#define PTL_IMAGE_ANY 0u

#define PTL_SHM_TRACEABLE 64

struct ptl_shm_head {
	struct ptl_shm_prefix prefix;
	struct ptl_shm_ident creator;
	uint64_t table_off; /* 56 */
	/* Line 1: what a recording thread reads for each event.  The first
	 * three are one word to it: see ptl_head_gate(). */
	_Atomic uint16_t state;	  /* 64 */
	_Atomic uint16_t filters; /* 1: `filter' may have a bit set */
	_Atomic uint32_t sleeper; /* 1: a reader waits for any event */
	uint64_t max_data;
	uint64_t chunk_size;
	uint64_t chunks_off;
	uint32_t nr_chunks;
	uint32_t clock;
	uint64_t log_off;
	uint64_t names;		/* id of the target's name table */
	uint64_t creator_image; /* 1 + what its entry says; or: */
	/* Line 2: written now and then by anybody. */
	_Atomic uint64_t claim_seq; /* 128 */
	_Atomic uint64_t hint;	    /* where to look for a free chunk */
	_Atomic uint32_t processes; /* that ever joined */
	_Atomic uint32_t flusher;   /* 1: it waits for a chunk to be closed */
	_Atomic uint32_t unborn;    /* children made that have not joined yet */
	_Atomic uint32_t room;	    /* 1: a writer waits for a free chunk */
	_Atomic uint64_t unborn_since; /* CLOCK_BOOTTIME ns of the last */
	/* 1: its controller holds a lock on the first byte. */
	_Atomic uint32_t lifeline;
	_Atomic uint32_t killed;     /* ends by a signal */
	_Atomic uint64_t exec_since; /* CLOCK_BOOTTIME ns of its last exec */
	_Atomic uint32_t refused;    /* names of processes of another user */
	_Atomic uint32_t beside; /* bits of enum ptl_shm_beside: there is such
				  * a segment */
	/* Line 3: written when events are lost. */
	_Atomic uint64_t lost;	       /* 192: events */
	_Atomic uint64_t lost_since;   /* counter of the first of this gap */
	_Atomic uint64_t stop_counter; /* when it became full by itself */
	_Atomic uint32_t overrun;      /* for get_status, which resets it */
	_Atomic uint32_t no_room;      /* 1: the last flush failed */
	_Atomic uint64_t cleared;      /* counter: what is older is no more */
	_Atomic uint64_t stacks_cut;   /* for want of memory to unwind on */
	/* A stream may grow (growth.h): so many chunks it has now, and so many
	 * had at first. */
	_Atomic uint32_t present;
	uint32_t nr_first;
	/* 1: a process of the stream may make no system call, and wakes nobody.
	 */
	_Atomic uint32_t mute;
	/* Of a bridge: children that came, and were expected elsewhere. */
	_Atomic uint32_t crossed;
	/* 256 */
	struct ptl_shm_attr attr;
	/* Since minor 2: chunks that were freed; and what that was when a
	 * thread waited for room in vain: core/record/backpressure.c. */
	_Atomic uint32_t freed; /* 632 */
	_Atomic uint32_t stalled;
	/* 640: a set bit is an event type not recorded. */
	_Atomic uint64_t filter[PTL_ID_LIMIT / 64];
	/* Files that processes of the stream have looked at before an exec, and
	 * that can be traced: a hash of each, at its place modulo the size. */
	_Atomic uint64_t traceable[PTL_SHM_TRACEABLE];
	/* Which calls of hooked functions are not recorded: those that return
	 * before so many ticks, and those that are nested deeper; and what 2^32
	 * ticks are, in ns. */
	_Atomic uint64_t call_ticks;
	_Atomic uint64_t call_rate;
	_Atomic uint32_t call_depth;
	_Atomic uint32_t io_data; /* bytes of what calls move to record */
	/* Since minor 1: 1: such calls are summed up (sums.h). */
	_Atomic uint32_t call_sums;
	/* Since minor 2: CLOCK_MONOTONIC ms when owners that are gone were last
	 * looked for in vain; and how long threads have waited for room, in ns,
	 * all of them together. */
	_Atomic uint32_t reaped;
	_Atomic uint64_t waited;
	/* Since minor 3: which calls of libc are recorded. */
	struct ptl_shm_select select;
};
static_assert(offsetof(struct ptl_shm_head, state) == 64, "shm ABI");
static_assert(offsetof(struct ptl_shm_head, claim_seq) == 128, "shm ABI");
static_assert(offsetof(struct ptl_shm_head, lost) == 192, "shm ABI");
static_assert(offsetof(struct ptl_shm_head, attr) == 256, "shm ABI");
static_assert(offsetof(struct ptl_shm_head, freed) == 632, "shm ABI");
static_assert(offsetof(struct ptl_shm_head, filter) == 640, "shm ABI");
static_assert(sizeof(struct ptl_shm_head) == 3864, "shm ABI, within a page");

/* What is beside a stream: prototypes, lines "NAME CODE\n" or "NAME CODE
 * NAMES\n", by name in ascending order; and patches. */
enum ptl_shm_beside { PTL_SHM_PROTOTYPES, PTL_SHM_PATCHES, PTL_SHM_BESIDES };

struct ptl_shm_bytes {
	struct ptl_shm_prefix prefix;
	uint64_t size; /* of: */
	unsigned char bytes[];
};
static_assert(sizeof(struct ptl_shm_bytes) == 40, "shm ABI");

/* Counter value to CLOCK_REALTIME: linear between anchors, never revised. */
struct ptl_shm_anchor {
	uint64_t counter;
	uint64_t ns; /* CLOCK_REALTIME */
};

#define PTL_SHM_ANCHORS 64
#define PTL_SHM_CAME 128
#define PTL_SHM_STARTING 16

/*
 * Programs that were started in processes of a trace and cannot be traced: how
 * many, and of the first of them, each once, a line "PATH: REASON\n".  A writer
 * that is killed leaves zeroes.
 */
#define PTL_UNTRACED_TEXT 496
struct ptl_untraced {
	_Atomic uint64_t count;
	_Atomic uint64_t used; /* of: */
	char text[PTL_UNTRACED_TEXT];
};
static_assert(sizeof(struct ptl_untraced) == 512, "shm and log ABI");

/* The controller's part of a stream, for it and for recovery. */
struct ptl_shm_log {
	_Atomic uint32_t nr_anchors;
	uint32_t has_log;
	struct ptl_shm_anchor anchor[PTL_SHM_ANCHORS];
	uint64_t dev, ino;	 /* of the log */
	_Atomic uint64_t end;	 /* bytes of the log that are whole packets */
	_Atomic uint64_t events; /* in them */
	uint64_t clock_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC at create */
	/* A loss that is not in the log yet, by the counter of its first event:
	 * until OVERFLOW is written, and from then until RESUME is. */
	_Atomic uint64_t overflow_due;
	_Atomic uint64_t resume_due;
	_Atomic uint64_t discarded;  /* events the log had no room for */
	_Atomic uint32_t log_status; /* PTL_LOG_* below */
	_Atomic uint32_t error;	     /* of the first failed write, or 0 */
	_Atomic uint64_t ring; /* LOOP: the slot in hand:32, how many:32 */
	uint64_t left; /* 1 + the processes that lived when it was recovered */
	uint64_t gone_since; /* CLOCK_BOOTTIME ns: not found by its path */
	char path[PTL_PATH_SIZE];
	struct ptl_untraced untraced;
	/* Pids that joined of late, each at its number modulo the size: so a
	 * parent can see that its child did not. */
	_Atomic uint32_t came[PTL_SHM_CAME];
	/* Pids without an entry, and the programs that they execute. */
	_Atomic uint32_t starting[PTL_SHM_STARTING];
	char program[PTL_SHM_STARTING][PTL_ENTRY_PROGRAM];
	struct ptl_shm_bridges bridges;
};
static_assert(offsetof(struct ptl_shm_log, path) == 1128, "shm ABI");

#define PTL_LOG_FULL 1u	      /* UNTIL_FULL: no more room; LOOP: came round */
#define PTL_LOG_OVERRUN 2u    /* it lost events; get_status resets it */
#define PTL_LOG_LOST 4u	      /* the same, never reset */
#define PTL_LOG_COMPLETE 8u   /* it has its end mark */
#define PTL_LOG_ABANDONED 16u /* shut down, but it could not be completed */

#endif
