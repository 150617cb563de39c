/* SPDX-License-Identifier: MIT */
/*
 * The bridges of a stream (core/shm/bridge.h) as its consumer has them: their
 * chunks are numbered behind those of the segment, and are read like them.
 */
#ifndef PTL_CORE_STREAM_BRIDGES_H
#define PTL_CORE_STREAM_BRIDGES_H

#include "core/stream/stream.h"
#include "core/sys/usage.h"

/*
 * Maps what was announced, and now and then looks after what is there: counts
 * what was counted in the bridges, records the ends of the killed, removes what
 * nobody has any more.  By the one consumer: with the flush lock, or that of a
 * stream without log, or where the stream is nobody else's.
 */
void ptl_bridges_look(struct ptl_stream *stream);

/* ptl_bridges_look() with everything that is looked after, now. */
void ptl_bridges_settle(struct ptl_stream *stream);

/* Is there a bridge that is not mapped yet? */
bool ptl_bridges_news(const struct ptl_stream *stream);

/* Does a writer wait for room in one? */
bool ptl_bridges_wait(const struct ptl_stream *stream);

/* As ptl_leftover_reap() and ptl_backpressure_tell(), in all of them and in the
 * segment. */
unsigned int ptl_bridges_reap(const struct ptl_stream *stream);
/* As ptl_bridges_reap(), but not of chunks that were read from since the last
 * time: mostly their threads live, and it takes system calls to ask.  Of one
 * that is dead it is the next time that finds it. */
unsigned int ptl_bridges_reap_still(const struct ptl_stream *stream);
void ptl_bridges_tell(const struct ptl_stream *stream, bool no_room);

/* Bridges that were full go on, now that they were read. */
void ptl_bridges_restart(const struct ptl_stream *stream);

/* As ptl_unlogged_events(), of all of them. */
uint64_t ptl_bridges_unlogged(const struct ptl_stream *stream);

/* How many processes of the stream live that are reached by bridges alone. */
unsigned int ptl_bridges_live(struct ptl_map *map);

/*
 * How many children are expected that have not come.  They may not have had
 * their first moment on a processor, and their parents have ended.  One that
 * does not come in a second was killed before, or is a program that cannot be
 * traced.
 */
unsigned int ptl_bridges_unborn(struct ptl_map *map);

/* How many processes of the stream were killed, as far as that is recorded, in
 * bridges, too. */
uint64_t ptl_bridges_killed(struct ptl_map *map);

/* What they say of that process (PTL_MEMBER_*); 0: it is in none. */
uint32_t ptl_bridges_state(struct ptl_map *map,
			   const struct ptl_shm_ident *who);

/*
 * A process of the stream has left it, and is dead as far as the registry can
 * tell; its status known or -1.  Left: it became another user's before, and
 * was a member of the stream itself from then on.
 */
enum ptl_crossing {
	PTL_CROSSED_NOT,   /* its end is to be told in the stream */
	PTL_CROSSED_ENDED, /* it went over to a bridge, and its end is told
			    * there; by now */
	PTL_CROSSED_LIVES, /* the same, and it may live there */
};
enum ptl_crossing ptl_bridges_ended(struct ptl_map *map,
				    const struct ptl_shm_ident *who, bool left,
				    const struct ptl_end *end);

/* The dead are told, and those that were told make room.  Returns how many
 * certainly live.  Last: as in ptl_members_life(). */
unsigned int ptl_bridges_members(struct ptl_map *bridge, bool last);

/* Records the end of a process in its name. */
void ptl_bridges_tell_end(struct ptl_map *map, const struct ptl_shm_ident *who,
			  uint32_t image, const struct ptl_end *end);

#endif
