/* SPDX-License-Identifier: MIT */
/*
 * Streams and logs as their controller or analyzer holds them: what a
 * trace_id_t stands for.  A trid is good in the process that got it, and
 * there until shutdown or close; any other number is EINVAL.
 */
#ifndef PTL_CORE_STREAM_STREAM_H
#define PTL_CORE_STREAM_STREAM_H

#include "core/buffer/cursor.h"
#include "core/log/pipetail.h"
#include "core/log/reader.h"
#include "core/log/rotation.h"
#include "core/log/writer.h"
#include "core/shm/map.h"
#include "core/sys/clock.h"
#include "core/sys/lock.h"
#include <trace.h>

#include <pthread.h>

enum ptl_stream_kind {
	PTL_STREAM_LIVE = 1,   /* created, without log */
	PTL_STREAM_LOGGED = 2, /* created, with log */
	PTL_STREAM_LOG = 4,    /* an opened log */
};

/* How far reading a live stream has come (reader.c). */
struct ptl_reading {
	uint64_t last_counter; /* of the last event delivered */
	uint64_t closed;       /* events before this come too late */
	bool closed_full;      /* and are lost, since it was full then */
	bool await_start;      /* so do all before the next START */
	uint64_t lost_since;   /* a loss not told yet, or 0 */
	bool overflow_due, resume_due; /* to be told next, */
	bool kept_due;		       /* and after them this: */
	struct ptl_event kept;
	unsigned int looks;
	uint32_t run;	    /* of this chunk (merge.c) */
	uint64_t run_limit; /* events before that come next; 0: unknown */
	uint64_t run_begin; /* when that was made out */
	struct ptl_clock_line line; /* of the clock function, for times */
};

/* What the table of streams knows of it (stream.c). */
struct ptl_stream_entry {
	uint32_t index;
	bool is_borrowed;      /* a frame we interrupted still has it */
	_Atomic bool is_dying; /* shutdown or close is under way */
};

/* Who flushes an active stream with log (flush.c, thread.c). */
struct ptl_flusher {
	/*
	 * Protects: this, the log, and of a stream with log its cursors,
	 * against other threads of this process.  A flush may be as slow as its
	 * disk, so the stream's lock is not held meanwhile.
	 * Nests outside: the stream's lock.
	 */
	struct ptl_lock lock;
	_Atomic bool is_open; /* FLUSH_START was recorded, FLUSH_STOP not yet */
	bool has_thread;
	pthread_t thread;
	/* For posix_trace_get_status(), at any moment. */
	_Atomic int error; /* the first since it was asked for */
	_Atomic bool is_busy;
};

/* The log that it is flushed into (batch.c, log_policy.c, metadata.c). */
struct ptl_stream_log {
	struct ptl_log_writer writer;
	struct ptl_rotation rotation; /* of policy LOOP */
	struct ptl_pipetail tail;     /* of a log that is a pipe */
	uint64_t left;	      /* UNTIL_FULL: bytes of packets of events */
	uint32_t types;	      /* user names in it so far */
	uint64_t events;      /* in it */
	uint64_t half;	      /* events that it has and the stream still has */
	uint64_t first;	      /* counter of the first that ever went into it */
	uint64_t last;	      /* the latest in it */
	uint64_t last_copied; /* the same, of what came from the chunks */
	uint64_t clock;	      /* the same, when an anchor was written */
	uint64_t clock_ns;    /* when that was */
	size_t batch_size;    /* as large as it has taken packets */
};

/* A log that was opened for reading. */
struct ptl_opened {
	struct ptl_log_reader *reader; /* NULL: it is no such log */
	bool is_active;		       /* its stream still lives */
	struct ptl_log_end end; /* its totals, as far as they are known: */
	bool has_end;
	struct ptl_untraced untraced;
	uint32_t live; /* its processes that are still there */
};

struct ptl_stream {
	/*
	 * Protects: everything below, against other threads of this process.
	 * Nests inside: nothing.
	 * Signals: blocked while held, but for reading; never taken by the
	 * record path.
	 */
	struct ptl_lock lock;
	enum ptl_stream_kind kind;
	struct ptl_stream_entry entry;
	uint32_t type_next; /* eventtypelist: after this id */

	/* Of the last event that was read. */
	uint64_t stack[PTL_STACK_MAX];
	size_t nr_stack;

	/* An active stream. */
	struct ptl_map *map;
	struct ptl_shm_names *names;
	struct ptl_cursor *cursor; /* one for each chunk */
	uint32_t *order;	   /* chunks as they go into a log */
	uint64_t last_deep; /* ns: when we looked for holes and the dead */
	const void *caller; /* of start, stop, ...: their events' address */
	uint64_t restarted; /* when it had been full the last time, or 0 */
	void *buffer;	    /* packets on their way, or the event kept */
	size_t buffer_size;

	struct ptl_reading reading; /* without log */
	struct ptl_flusher flusher; /* with log */
	struct ptl_stream_log log;
	struct ptl_opened opened; /* no stream at all */
};

/* Of the array of cursors, and behind it that of the order. */
PTL_INLINE size_t ptl_stream_cursors_size(const struct ptl_map *map)
{
	return map->nr_chunks * (sizeof(struct ptl_cursor) + sizeof(uint32_t));
}

/* May a writer take over what was not read? */
PTL_INLINE bool ptl_stream_loops(const struct ptl_stream *stream)
{
	return stream->map->head->attr.stream_policy == POSIX_TRACE_LOOP;
}

/* Makes room for a stream.  Returns 0, EAGAIN (too many), ENOMEM. */
int ptl_stream_new(enum ptl_stream_kind kind, struct ptl_stream **stream);

/* Gives it a trid: from now on others can get it. */
int ptl_stream_register(struct ptl_stream *stream, trace_id_t *trid);

/* Frees one that was never registered, or was taken. */
void ptl_stream_free(struct ptl_stream *stream);

/*
 * The stream of a trid, if it is one of `kinds' (or'ed), to be given back
 * with put; NULL: EINVAL.  It stays there until put, but may be dying.
 */
struct ptl_stream *ptl_stream_get(trace_id_t trid, unsigned int kinds);
void ptl_stream_put(struct ptl_stream *stream);

/*
 * Takes it out of the table and waits until nobody else has it: the caller
 * alone goes on with it.  NULL: EINVAL.
 */
struct ptl_stream *ptl_stream_take(trace_id_t trid, unsigned int kinds);

/* Takes any created stream; NULL if there is none left.  At exit. */
struct ptl_stream *ptl_stream_take_any(void);

/* In a fork child: none of them is ours. */
void ptl_streams_forked(void);

/* Does this process have created streams? */
bool ptl_streams_any(void);

/* Calls with a trid at the edge of the API. */
#define PTL_STREAM_ACTIVE (PTL_STREAM_LIVE | PTL_STREAM_LOGGED)
#define PTL_STREAM_ANY (PTL_STREAM_ACTIVE | PTL_STREAM_LOG)

#endif
