/* SPDX-License-Identifier: MIT */
/*
 * What is counted in a bridge is moved to the stream's head, so that whoever
 * asks for totals finds them there.  All that is in a bridge is foreign: it may
 * name any process as a member, and count what it likes; but the ends of
 * processes that never went over are none of its business (ptl_bridges_ended).
 */
#include "core/stream/bridges.h"

#include "core/buffer/chunk.h"
#include "core/buffer/leftover.h"
#include "core/buffer/counter.h"
#include "core/buffer/loss.h"
#include "core/buffer/unlogged.h"
#include "core/record/backpressure.h"
#include "core/shm/bridge.h"
#include "core/shm/members.h"
#include "core/shm/select.h"
#include "core/shm/untraced.h"
#include "core/sys/clock.h"

#include <string.h>

#define LOOK_NS UINT64_C(100000000)
/* A program that nobody has seen begin for so long does not come any more. */
#define IDLE_NS UINT64_C(10000000000)

/* So many have come; some were expected in the stream. */
static void come(struct ptl_shm_head *head, uint32_t nr, uint32_t crossed)
{
	uint32_t unborn =
		atomic_load_explicit(&head->unborn, memory_order_relaxed);

	/* Pairs with nr_joined() in processes.c. */
	atomic_fetch_add_explicit(&head->processes, nr, memory_order_release);
	/* Pairs with unborn() in bridges_ends.c. */
	while (unborn && crossed &&
	       !atomic_compare_exchange_weak_explicit(
		       &head->unborn, &unborn,
		       unborn - PTL_MIN(unborn, crossed), memory_order_release,
		       memory_order_relaxed))
		;
}

static void take_losses(struct ptl_map *map, struct ptl_shm_head *from)
{
	uint64_t lost =
		atomic_exchange_explicit(&from->lost, 0, memory_order_relaxed);
	/* Pairs with ptl_loss_since(). */
	uint64_t since = atomic_exchange_explicit(&from->lost_since, 0,
						  memory_order_acquire);
	uint64_t now = ptl_counter_now(map->clock);

	if (!lost && !since)
		return;
	/* Foreign: neither before the trace nor in the future. */
	since = PTL_MIN(PTL_MAX(since, map->log->anchor[0].counter), now);
	ptl_loss_add(map, PTL_MIN(lost, UINT32_MAX), since);
}

static void take_counts(struct ptl_map *map, struct ptl_map *bridge)
{
	struct ptl_shm_head *from = bridge->head;
	uint32_t nr, crossed, killed;
	uint64_t cut;

	if (atomic_load_explicit(&from->lost, memory_order_relaxed) ||
	    atomic_load_explicit(&from->lost_since, memory_order_relaxed))
		take_losses(map, from);
	/* First: who is no longer expected has come.  Pairs with
	 * ptl_children_came(). */
	crossed = atomic_exchange_explicit(&from->crossed, 0,
					   memory_order_acquire);
	nr = atomic_exchange_explicit(&from->processes, 0,
				      memory_order_relaxed);
	if (nr || crossed)
		come(map->head, nr, crossed);
	cut = atomic_exchange_explicit(&from->stacks_cut, 0,
				       memory_order_relaxed);
	if (cut)
		atomic_fetch_add_explicit(&map->head->stacks_cut,
					  PTL_MIN(cut, UINT32_MAX),
					  memory_order_relaxed);
	ptl_select_move(map, bridge);
	/* Pairs with ptl_bridges_tell_end() and ptl_bridges_killed(). */
	killed = atomic_exchange_explicit(&from->killed, 0,
					  memory_order_acquire);
	if (killed)
		atomic_fetch_add_explicit(&map->head->killed, killed,
					  memory_order_release);
	ptl_untraced_move(map, bridge);
}

/* ---- mapping ------------------------------------------------------ */

static struct ptl_cursor *cursors(const struct ptl_stream *stream,
				  unsigned int i)
{
	return &stream->cursor[stream->map->nr_chunks + i * PTL_BRIDGE_CHUNKS];
}

/* The chunks up to those of bridge i are looked at from now on. */
static void extend(struct ptl_stream *stream, unsigned int i)
{
	uint32_t to = stream->map->nr_chunks + (i + 1) * PTL_BRIDGE_CHUNKS;

	for (; stream->nr_chunks < to; stream->nr_chunks++)
		stream->order[stream->nr_chunks] = stream->nr_chunks;
}

static void attach(struct ptl_stream *stream, unsigned int i)
{
	struct ptl_shm_guest *guest = &stream->map->log->bridges.guest[i];
	struct ptl_map *bridge = ptl_bridge_at(stream->map, i);

	if (!bridge)
		return;
	stream->bridges.map[i] = bridge;
	stream->bridges.idle[i] = 0;
	atomic_store_explicit(&guest->attached, 1, memory_order_relaxed);
	extend(stream, i);
}

static void let_go(struct ptl_stream *stream, unsigned int i)
{
	ptl_map_detach(stream->bridges.map[i]);
	stream->bridges.map[i] = NULL;
	memset(cursors(stream, i), 0,
	       PTL_BRIDGE_CHUNKS * sizeof(struct ptl_cursor));
}

static bool is_read(const struct ptl_stream *stream, unsigned int i)
{
	struct ptl_map *bridge = stream->bridges.map[i];

	for (uint32_t n = 0; n < bridge->nr_chunks; n++) {
		struct ptl_cursor cursor = cursors(stream, i)[n];
		struct ptl_record rec;

		if (ptl_cursor_peek(bridge, n, &cursor, PTL_PATIENCE_LAST,
				    &rec) == PTL_PEEK_EVENT)
			return false;
	}
	return true;
}

static bool is_left(struct ptl_map *bridge)
{
	return !ptl_members_live(bridge);
}

static void look_after(struct ptl_stream *stream, unsigned int i, uint64_t now,
		       bool last)
{
	struct ptl_map *bridge = stream->bridges.map[i];
	uint64_t *idle = &stream->bridges.idle[i];

	take_counts(stream->map, bridge);
	if (ptl_bridges_members(bridge, last) > 0 ||
	    ptl_bridge_users(stream->map, i) > 0) {
		*idle = 0;
		return;
	}
	if (*idle == 0)
		*idle = now;
	if (now - *idle >= IDLE_NS && is_read(stream, i) &&
	    ptl_bridge_retire(stream->map, i, bridge, is_left))
		let_go(stream, i);
}

bool ptl_bridges_news(const struct ptl_stream *stream)
{
	return ptl_bridge_any(stream->map) &&
	       atomic_load_explicit(&stream->map->log->bridges.announced,
				    memory_order_relaxed) !=
		       stream->bridges.announced;
}

static void attach_new(struct ptl_stream *stream)
{
	/* Pairs with announce() in bridge.c. */
	stream->bridges.announced = atomic_load_explicit(
		&stream->map->log->bridges.announced, memory_order_acquire);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++)
		if (!stream->bridges.map[i])
			attach(stream, i);
}

static void look(struct ptl_stream *stream, bool last)
{
	uint64_t now;

	if (!ptl_bridge_any(stream->map))
		return;
	if (ptl_bridges_news(stream))
		attach_new(stream);
	now = ptl_clock_ns(CLOCK_MONOTONIC);
	if (stream->map->is_copy ||
	    (!last && now - stream->bridges.looked < LOOK_NS))
		return;
	stream->bridges.looked = now;
	ptl_bridge_collect(stream->map);
	ptl_bridges_members(stream->map, last);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++)
		if (stream->bridges.map[i])
			look_after(stream, i, now, last);
}

void ptl_bridges_look(struct ptl_stream *stream)
{
	look(stream, false);
}

void ptl_bridges_settle(struct ptl_stream *stream)
{
	/* Twice: see bury() in bridges_ends.c. */
	look(stream, true);
	look(stream, true);
}

/* ---- what is done to each ----------------------------------------- */

#define EACH_BRIDGE(stream, map) \
	for (unsigned int i_ = 0; \
	     (map) = NULL, stream->nr_chunks > stream->map->nr_chunks && \
				   i_ < PTL_SHM_GUESTS; \
	     i_++) \
		if (((map) = stream->bridges.map[i_]) != NULL)

bool ptl_bridges_wait(const struct ptl_stream *stream)
{
	struct ptl_map *map;

	EACH_BRIDGE(stream, map)
	{
		if (atomic_load_explicit(&map->head->room,
					 memory_order_relaxed))
			return true;
	}
	return false;
}

void ptl_bridges_tell(const struct ptl_stream *stream, bool no_room)
{
	struct ptl_map *map;

	ptl_backpressure_tell(stream->map, no_room);
	EACH_BRIDGE(stream, map)
	ptl_backpressure_tell(map, no_room);
}

static unsigned int reap_bridges(const struct ptl_stream *stream)
{
	unsigned int changed = 0;
	struct ptl_map *map;

	EACH_BRIDGE(stream, map)
	changed += ptl_leftover_reap(map);
	return changed;
}

unsigned int ptl_bridges_reap(const struct ptl_stream *stream)
{
	return ptl_leftover_reap(stream->map) + reap_bridges(stream);
}

unsigned int ptl_bridges_reap_still(const struct ptl_stream *stream)
{
	uint32_t present = ptl_map_present(stream->map);
	unsigned int changed = 0;

	for (uint32_t i = 0; i < present; i++)
		if (!ptl_cursor_has_moved(&stream->cursor[i]))
			changed += ptl_leftover_reap_one(stream->map, i);
	return changed + reap_bridges(stream);
}

void ptl_bridges_restart(const struct ptl_stream *stream)
{
	struct ptl_map *map;

	EACH_BRIDGE(stream, map)
	{
		if (!(ptl_map_state(map) & PTL_STATE_FULL))
			continue;
		atomic_store_explicit(&map->head->stop_counter, 0,
				      memory_order_relaxed);
		if (ptl_map_state(stream->map) == PTL_STATE_RUNNING)
			ptl_head_change(map->head, PTL_STATE_FULL,
					PTL_STATE_RUNNING);
	}
}

uint64_t ptl_bridges_unlogged(const struct ptl_stream *stream)
{
	uint64_t events = 0;
	struct ptl_map *map;

	EACH_BRIDGE(stream, map)
	events += ptl_unlogged_events(map);
	return events;
}
