/* SPDX-License-Identifier: MIT */
/*
 * Streams and logs as their controller or analyzer holds them: what a
 * trace_id_t stands for.  A trid is valid in the process that got it, until
 * shutdown or close; any other number is EINVAL.
 */
#ifndef PTL_CORE_STREAM_STREAM_H
#define PTL_CORE_STREAM_STREAM_H

#include "core/format/logfile.h"
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
	uint64_t last_counter; /* of the last event that was delivered */
	uint64_t closed;       /* events before this come too late */
	bool closed_full;      /* and are lost: the stream was full */
	bool await_start;      /* the same for all before the next START */
	uint64_t lost_since;   /* a loss not reported yet, or 0 */
	bool overflow_due, resume_due; /* to be delivered next, */
	bool kept_due;		       /* and then this one: */
	struct ptl_event kept;
	unsigned int looks;
	uint32_t run;	    /* of this chunk (order.c) */
	uint64_t run_limit; /* events before this come next; 0: no run */
	uint64_t run_begin; /* the time of the look it comes from */
	struct ptl_clock_line line; /* of the clock function, for times */
};

/* What the table of streams stores for it (stream.c). */
struct ptl_stream_entry {
	uint32_t index;
	bool is_borrowed;      /* a frame that we interrupted still has it */
	_Atomic bool is_dying; /* shutdown or close is under way */
};

/* The flusher of an active stream with log (core/flush). */
struct ptl_flusher {
	/*
	 * Protects: this struct, the log, and the cursors of a stream with log,
	 * against other threads of this process.  A flush may be as slow as its
	 * disk, so the stream's lock is not held meanwhile.
	 * Nests outside: the stream's lock.
	 */
	struct ptl_lock lock;
	_Atomic bool is_open; /* FLUSH_START was recorded, FLUSH_STOP not yet */
	bool has_thread;
	pthread_t thread;
	/* Read by posix_trace_get_status() at any moment. */
	_Atomic int error; /* the first since the last status */
	_Atomic bool is_busy;
};

/* The log that it is flushed into (core/flush). */
struct ptl_stream_log {
	struct ptl_log_writer writer;
	struct ptl_rotation rotation; /* of policy LOOP */
	struct ptl_pipetail tail;     /* of a log that is a pipe */
	uint32_t policy;	      /* POSIX_TRACE_APPEND, ... */
	uint64_t size;		      /* by that policy, in bytes */
	uint64_t left;	      /* UNTIL_FULL: room for event packets, in bytes */
	uint32_t types;	      /* names of user events written so far */
	uint64_t events;      /* written to it */
	uint64_t half;	      /* of them, those that the stream still has */
	uint64_t first;	      /* counter of the first event written to it */
	uint64_t last;	      /* of the latest event */
	uint64_t last_copied; /* of the latest that came from the chunks */
	uint64_t clock;	      /* of the latest when an anchor was written */
	uint64_t clock_ns;    /* the time of that */
	size_t batch_size;    /* it has taken packets up to this size */
};

/* The stream's bridges, each at its place of the list (bridges.c). */
struct ptl_stream_bridges {
	struct ptl_map *map[PTL_SHM_GUESTS];
	uint64_t idle[PTL_SHM_GUESTS]; /* ns: since when nobody has it; or 0 */
	uint32_t announced;	       /* so many were looked at */
	uint64_t looked;	       /* ns: after all of them */
};

/* A log that was opened for reading. */
struct ptl_opened {
	struct ptl_log_reader *reader; /* NULL: the log is no such file */
	bool is_active;		       /* its stream still lives */
	bool at_end;		       /* there was no event, last time */
	struct ptl_log_end end; /* its totals, as far as they are known */
	bool has_end;
	struct ptl_untraced untraced;
	uint32_t live; /* processes in it that still live */
};

struct ptl_stream {
	/*
	 * Protects: everything below, against other threads of this process.
	 * Nests inside: nothing.
	 * Signals: blocked while held, except by readers; the record path never
	 * takes it.
	 */
	struct ptl_lock lock;
	enum ptl_stream_kind kind;
	struct ptl_stream_entry entry;
	uint32_t type_next; /* eventtypelist: after this id */

	/* Of the last event that was read. */
	uint64_t stack[PTL_STACK_MAX];
	size_t nr_stack;
	int64_t lasted; /* ns + 1; 0: not known */

	/* Of an active stream. */
	struct ptl_map *map;
	void *lifeline; /* by which others see that we are there, or NULL */
	struct ptl_shm_names *names;
	struct ptl_cursor *cursor; /* one for each chunk, and for each of its */
	struct ptl_stream_bridges bridges;
	uint32_t nr_chunks; /* to look at: ptl_stream_chunk() */
	uint32_t *order;    /* the order in which chunks go into a log */
	uint64_t last_deep; /* ns: the last scan for holes and dead threads */
	const void *caller; /* of start, stop, ...: their events' address */
	uint64_t restarted; /* the last time, after it was full; or 0 */
	struct ptl_shm_anchor
		told[2]; /* CLOCK_MONOTONIC: core/api/event_as.c */
	void *buffer;	 /* packets to be written, or the event kept */
	size_t buffer_size;

	struct ptl_reading reading; /* without log */
	struct ptl_flusher flusher; /* with log */
	struct ptl_stream_log log;
	struct ptl_opened opened; /* of an opened log only */
};

/* Chunks that a stream can have with all its bridges.  They are touched only
 * when these are there. */
PTL_INLINE uint32_t ptl_stream_most_chunks(const struct ptl_map *map)
{
	return map->nr_chunks + PTL_SHM_GUESTS * PTL_BRIDGE_CHUNKS;
}

/* The size of the cursors and, after them, of the order. */
PTL_INLINE size_t ptl_stream_cursors_size(const struct ptl_map *map)
{
	return ptl_stream_most_chunks(map) *
	       (sizeof(struct ptl_cursor) + sizeof(uint32_t));
}

/*
 * Chunk n of the stream: chunk *i of the mapping that is returned.  First come
 * those of the segment, then, at fixed places, those of the bridges.  NULL:
 * there is none of that number.
 */
PTL_INLINE struct ptl_map *ptl_stream_chunk(const struct ptl_stream *stream,
					    uint32_t n, uint32_t *i)
{
	struct ptl_map *map = stream->map;

	*i = n;
	if (PTL_LIKELY(n < map->nr_chunks))
		return map;
	n -= map->nr_chunks;
	*i = n % PTL_BRIDGE_CHUNKS;
	map = stream->bridges.map[n / PTL_BRIDGE_CHUNKS];
	return map && *i < map->nr_chunks ? map : NULL;
}

/* Looks at the chunks that the segment has got meanwhile, too. */
PTL_INLINE void ptl_stream_grow(struct ptl_stream *stream)
{
	uint32_t to = ptl_map_present(stream->map);

	for (; stream->nr_chunks < to; stream->nr_chunks++)
		stream->order[stream->nr_chunks] = stream->nr_chunks;
}

/* May a writer overwrite what was not read? */
PTL_INLINE bool ptl_stream_loops(const struct ptl_stream *stream)
{
	return stream->map->head->attr.stream_policy == POSIX_TRACE_LOOP;
}

/* Allocates a stream.  Returns 0, EAGAIN (too many) or ENOMEM. */
int ptl_stream_new(enum ptl_stream_kind kind, struct ptl_stream **stream);

/* Gives it a trid: from now on other threads can get it. */
int ptl_stream_register(struct ptl_stream *stream, trace_id_t *trid);

/* Frees a stream that was never registered, or was taken. */
void ptl_stream_free(struct ptl_stream *stream);

/*
 * The stream of a trid, if it is one of `kinds' (or'ed), to be released by
 * ptl_stream_put(); NULL: EINVAL.  It exists until then, but may be dying.
 */
struct ptl_stream *ptl_stream_get(trace_id_t trid, unsigned int kinds);
void ptl_stream_put(struct ptl_stream *stream);

/*
 * Takes it out of the table and waits until no other thread has it: the caller
 * alone goes on with it.  NULL: EINVAL.
 */
struct ptl_stream *ptl_stream_take(trace_id_t trid, unsigned int kinds);

/* Takes any created stream, at exit; NULL: there is none left. */
struct ptl_stream *ptl_stream_take_any(void);

/* In a fork child: none of the streams is ours. */
void ptl_streams_forked(void);

/* Does this process have created streams? */
bool ptl_streams_any(void);

/* For functions that take a trid. */
#define PTL_STREAM_ACTIVE (PTL_STREAM_LIVE | PTL_STREAM_LOGGED)
#define PTL_STREAM_ANY (PTL_STREAM_ACTIVE | PTL_STREAM_LOG)

#endif
