/* SPDX-License-Identifier: MIT */
/*
 * Walking the records of a chunk that are not consumed yet, while its owner
 * goes on writing.  A record reserved but not committed is a hole.  The caller
 * may wait for it or pass it: then it gets what follows, and comes back to the
 * hole each time.
 */
#ifndef PTL_CORE_BUFFER_CURSOR_H
#define PTL_CORE_BUFFER_CURSOR_H

#include "core/format/record.h"
#include "core/shm/map.h"

struct ptl_cursor {
	uint32_t gen; /* 0: not yet begun */
	bool has_span;
	uint64_t ignored; /* a word `own' whose holder is not waited for */
	uint32_t begun;	  /* how often from the beginning of the chunk */
	uint64_t life;	  /* of the chunk */
	uint64_t pos;	  /* where to look next */
	uint64_t hole;	  /* offset + 1 of the first hole passed, or 0 */
	uint64_t passed;  /* holes before here are not waited for */
	uint64_t last;	  /* counter of what was stepped over last */
	uint64_t end;	  /* no record is beyond this, as peek saw it */
	uint64_t stack, stack_end;     /* where the last stack record is */
	struct ptl_shm_span span;      /* in force at pos */
	struct ptl_shm_span hole_span; /* in force at the hole */
	/* Where it was when ptl_cursor_has_moved() was asked last. */
	uint32_t seen_gen;
	uint64_t seen_pos;
	/* Of copy.c, since the log was last written to: events that go into it
	 * and events that it has no room for, and the time of the first. */
	uint64_t copied, discarded, since;
};

enum ptl_peek {
	PTL_PEEK_EVENT,	   /* a committed event stands at cursor->pos */
	PTL_PEEK_NOTHING,  /* nothing now; more may come */
	PTL_PEEK_FRONTIER, /* the same, in a chunk that has an owner */
	PTL_PEEK_PENDING,  /* a hole, to wait for or to pass */
	PTL_PEEK_LOSING,   /* taken over; the loss is counted soon */
	PTL_PEEK_ALL,	   /* nothing now, and the chunk has no owner */
};

enum ptl_patience {
	PTL_PATIENCE_ORDER, /* stop at a hole; it may be filled */
	PTL_PATIENCE_PASS,  /* pass over holes, come back to them */
	PTL_PATIENCE_LAST,  /* no more is written: holes are dead */
};

/*
 * Looks for the next event of chunk i.  On PTL_PEEK_EVENT *rec is filled in;
 * its data lie in the chunk, which a writer of a LOOP stream may take over at
 * any moment: copy, then consume, and believe the copy only if that succeeds.
 */
enum ptl_peek ptl_cursor_peek(const struct ptl_map *map, uint32_t i,
			      struct ptl_cursor *cursor,
			      enum ptl_patience patience,
			      struct ptl_record *rec);

/* Was the chunk read from since this was asked last? */
bool ptl_cursor_has_moved(struct ptl_cursor *cursor);

/* Does not wait any longer for the hole that peek found. */
void ptl_cursor_pass(struct ptl_cursor *cursor);

/*
 * May a loop over the events of a chunk go on, that began when the cursor had
 * begun so often?  Chunks are used again while we look, but a peer that is
 * hostile could have us begin for ever.
 */
PTL_INLINE bool ptl_cursor_goes_on(const struct ptl_cursor *cursor,
				   uint32_t since)
{
	return cursor->begun - since < 64;
}

/* The time of the event that peek found. */
PTL_INLINE uint64_t ptl_cursor_counter(const struct ptl_cursor *cursor,
				       const struct ptl_record *rec)
{
	return ptl_record_counter(rec->time, cursor->span.counter);
}

/* Steps over what peek found, for this cursor only. */
void ptl_cursor_step(struct ptl_cursor *cursor, const struct ptl_record *rec);

/* Events of one span that stand one behind the other, in order of time. */
struct ptl_chunk_run {
	uint64_t bytes;
	uint64_t events;
	uint64_t first, last;	   /* counters */
	uint64_t earliest, latest; /* when they began */
	bool nested; /* some began before one in front of it had */
	bool plain;  /* they are all of types that ptl_record_is_plain() says */
};

/*
 * The event that peek found, with its stack, and what follows of the plain
 * kind, not later than `until' and in so many bytes as there is room for.
 */
struct ptl_chunk_run ptl_cursor_run(const struct ptl_map *map, uint32_t i,
				    const struct ptl_cursor *cursor,
				    const struct ptl_record *rec,
				    uint64_t until, uint64_t room);

/* Where it begins. */
PTL_INLINE const void *ptl_cursor_at(const struct ptl_map *map, uint32_t i,
				     const struct ptl_cursor *cursor,
				     const struct ptl_record *rec)
{
	return ptl_map_chunk(map, i) + cursor->pos - rec->before;
}

/* Steps over a run that begins with what peek found. */
void ptl_cursor_step_run(struct ptl_cursor *cursor,
			 const struct ptl_record *rec,
			 const struct ptl_chunk_run *run);

/*
 * Makes it known that all up to cursor->pos is consumed.  False: the chunk
 * was taken over meanwhile, and what was read since the last time is void.
 */
bool ptl_cursor_consume(const struct ptl_map *map, uint32_t i,
			struct ptl_cursor *cursor);

/*
 * What was consumed from offset `from' on is so no more.  False: the chunk was
 * taken over meanwhile.
 */
bool ptl_cursor_put_back(const struct ptl_map *map, uint32_t i,
			 const struct ptl_cursor *cursor, uint64_t from);

/* Consumes one event out of order, behind a hole.  False: as above.  What is
 * before the hole must be consumed, so that it is looked for. */
bool ptl_cursor_mark(const struct ptl_map *map, uint32_t i,
		     const struct ptl_cursor *cursor,
		     const struct ptl_record *rec);

#endif
