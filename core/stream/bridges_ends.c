/* SPDX-License-Identifier: MIT */
/*
 * The ends of processes that are members of a bridge, or of the stream itself:
 * of one that went over no registry tells.
 */
#include "core/stream/bridges.h"

#include "core/format/sysevents.h"
#include "core/record/emit.h"
#include "core/shm/bridge.h"
#include "core/shm/members.h"
#include "core/sys/pidns.h"

#include <sys/wait.h>

/* A program that nobody has seen begin for so long does not come any more. */
#define IDLE_NS UINT64_C(10000000000)
#define UNBORN_NS UINT64_C(1000000000)

void ptl_bridges_tell_end(struct ptl_map *map, const struct ptl_shm_ident *who,
			  uint32_t image, const struct ptl_end *end)
{
	struct ptl_emit_as as = {
		.pid = who->pid,
		.tid = who->pid,
		.image = image,
		.pidns = (uint32_t)who->pidns,
	};
	enum ptl_sysevent id = PTL_EV_PROCESS_KILLED;
	/* Value 0: it is not known how it died. */
	struct {
		int64_t value;
		struct ptl_usage usage;
	} data = {0, end->usage};
	size_t size = sizeof(data.value) + end->usage.known;

	if (end->status >= 0 && WIFEXITED(end->status)) {
		id = PTL_EV_PROCESS_EXIT;
		data.value = WEXITSTATUS(end->status);
	} else if (end->status >= 0) {
		data.value = WTERMSIG(end->status);
	}
	ptl_emit_as(map, &as, id, &data, size, size, NULL);
	/* After it: who looks for it finds it.  Pairs with
	 * ptl_bridges_killed(). */
	if (id == PTL_EV_PROCESS_KILLED)
		atomic_fetch_add_explicit(&map->head->killed, 1,
					  memory_order_release);
}

static void end_member(struct ptl_map *bridge, const struct ptl_shm_ident *who,
		       const struct ptl_end *end)
{
	uint32_t image;

	if (ptl_members_claim_end(bridge, who, &image))
		ptl_bridges_tell_end(bridge, who, image, end);
}

/* One that is not alive.  Of a zombie without its status the parent knows, and
 * of one that is gone it may be about to tell: not the first time. */
static void bury(struct ptl_map *bridge, struct ptl_shm_member *member,
		 uint64_t word, enum ptl_life life, int status)
{
	struct ptl_shm_ident who = ptl_members_ident(member);

	if (ptl_member_state(word) == PTL_MEMBER_HANDED)
		atomic_compare_exchange_strong_explicit(&member->word, &word, 0,
							memory_order_relaxed,
							memory_order_relaxed);
	else if (life == PTL_LIFE_GONE &&
		 ptl_member_state(word) == PTL_MEMBER_JOINED)
		atomic_compare_exchange_strong_explicit(
			&member->word, &word,
			ptl_member_word(who.pid, ptl_member_image(word),
					PTL_MEMBER_MISSING),
			memory_order_relaxed, memory_order_relaxed);
	else if (life == PTL_LIFE_GONE || status >= 0)
		end_member(bridge, &who, PTL_END(status));
}

unsigned int ptl_bridges_members(struct ptl_map *bridge, bool last)
{
	unsigned int live = 0;

	for (unsigned int i = 0; i < PTL_SHM_MEMBERS; i++) {
		struct ptl_shm_member *member = &bridge->log->bridges.member[i];
		/* Pairs with ptl_members_enter(). */
		uint64_t word = atomic_load_explicit(&member->word,
						     memory_order_acquire);
		enum ptl_life life;
		int status;

		/* Who went over from the stream is looked after there. */
		if (!word || (!bridge->bridge &&
			      ptl_member_state(word) == PTL_MEMBER_HANDED))
			continue;
		life = ptl_members_life(member, last, &status);
		if (ptl_member_state(word) == PTL_MEMBER_ENDED) {
			if (life == PTL_LIFE_GONE)
				atomic_compare_exchange_strong_explicit(
					&member->word, &word, 0,
					memory_order_relaxed,
					memory_order_relaxed);
		} else if (life == PTL_LIFE_ALIVE) {
			live += !ptl_members_is_elsewhere(member);
		} else {
			bury(bridge, member, word, life, status);
		}
	}
	return live;
}

unsigned int ptl_bridges_live(struct ptl_map *map)
{
	unsigned int live = 0;

	if (!ptl_bridge_any(map))
		return 0;
	live = ptl_bridges_members(map, false);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++) {
		unsigned int users = ptl_bridge_users(map, i), members;
		struct ptl_map *bridge = ptl_bridge_at(map, i);

		if (!bridge)
			continue;
		members = ptl_bridges_members(bridge, false);
		live += PTL_MAX(users, members);
		ptl_map_detach(bridge);
	}
	return live;
}

static unsigned int unborn(const struct ptl_shm_head *head)
{
	/* Relaxed: a parent that was found dead had stored it. */
	uint64_t since =
		atomic_load_explicit(&head->unborn_since, memory_order_relaxed);

	if (ptl_boottime() - since >= UNBORN_NS)
		return 0;
	/* Pairs with born() in children.c: a child that was born has joined. */
	return atomic_load_explicit(&head->unborn, memory_order_acquire);
}

unsigned int ptl_bridges_unborn(struct ptl_map *map)
{
	unsigned int nr = unborn(map->head);

	for (unsigned int i = 0; ptl_bridge_any(map) && i < PTL_SHM_GUESTS;
	     i++) {
		struct ptl_map *bridge = ptl_bridge_at(map, i);

		if (!bridge)
			continue;
		nr += unborn(bridge->head);
		ptl_map_detach(bridge);
	}
	return nr;
}

uint64_t ptl_bridges_killed(struct ptl_map *map)
{
	/* Pairs with ptl_bridges_tell_end(). */
	uint64_t killed =
		atomic_load_explicit(&map->head->killed, memory_order_acquire);

	if (!ptl_bridge_any(map))
		return killed;
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++) {
		struct ptl_map *bridge = ptl_bridge_at(map, i);

		if (!bridge)
			continue;
		/* Pairs with ptl_bridges_tell_end(). */
		killed += atomic_load_explicit(&bridge->head->killed,
					       memory_order_acquire);
		ptl_map_detach(bridge);
	}
	return killed;
}

/* What a bridge says of that process; 0: nothing. */
static uint32_t state_in(struct ptl_map *bridge,
			 const struct ptl_shm_ident *who)
{
	struct ptl_shm_member *member = ptl_members_find(bridge, who);

	return member ? ptl_member_state(atomic_load_explicit(
				&member->word, memory_order_relaxed)) :
			0;
}

uint32_t ptl_bridges_state(struct ptl_map *map, const struct ptl_shm_ident *who)
{
	uint32_t state = 0;

	for (unsigned int i = 0; ptl_bridge_any(map) && i < PTL_SHM_GUESTS;
	     i++) {
		struct ptl_map *bridge = ptl_bridge_at(map, i);

		if (!bridge)
			continue;
		state = PTL_MAX(state, state_in(bridge, who));
		ptl_map_detach(bridge);
	}
	return state;
}

/* Records the end of a process that is dead, if it is not of another pid
 * namespace and may be one of those that have the bridge. */
static enum ptl_crossing end_in(struct ptl_map *map, unsigned int i,
				struct ptl_map *bridge,
				const struct ptl_shm_ident *who,
				const struct ptl_end *end)
{
	uint32_t state = state_in(bridge, who);

	if (state == 0 || state == PTL_MEMBER_HANDED)
		return PTL_CROSSED_NOT;
	if (state != PTL_MEMBER_ENDED && who->pidns != ptl_pidns() &&
	    ptl_bridge_users(map, i) > 0 && !ptl_pidns_gone(who))
		return PTL_CROSSED_LIVES;
	end_member(bridge, who, end);
	return PTL_CROSSED_ENDED;
}

/* A member of the stream itself: what is not recorded is now. */
static enum ptl_crossing end_here(struct ptl_map *map,
				  const struct ptl_shm_ident *who,
				  struct ptl_shm_member *member,
				  const struct ptl_end *end)
{
	end_member(map, who, end);
	if (member)
		atomic_store_explicit(&member->word, 0, memory_order_relaxed);
	return PTL_CROSSED_ENDED;
}

/* Of another pid namespace, it may not have begun its program yet. */
static bool is_coming(const struct ptl_shm_member *gone)
{
	return ptl_members_is_elsewhere(gone) &&
	       ptl_boottime() - gone->born < IDLE_NS;
}

enum ptl_crossing ptl_bridges_ended(struct ptl_map *map,
				    const struct ptl_shm_ident *who, bool left,
				    const struct ptl_end *end)
{
	enum ptl_crossing crossing = PTL_CROSSED_NOT;
	struct ptl_shm_member *gone;
	bool handed = false;

	/* Whoever found it may have been of another pid namespace, where no
	 * more than its byte is known of it, and have left the rest to us. */
	if (left && who->pidns == ptl_ident_our_pidns() &&
	    ptl_ident_life(who, NULL) == PTL_LIFE_ALIVE)
		return PTL_CROSSED_LIVES;
	gone = ptl_bridge_any(map) ? ptl_members_find(map, who) : NULL;
	if (left && (!gone || state_in(map, who) != PTL_MEMBER_HANDED))
		return end_here(map, who, gone, end);
	if (!gone)
		return PTL_CROSSED_NOT;
	for (unsigned int i = 0;
	     i < PTL_SHM_GUESTS && crossing == PTL_CROSSED_NOT; i++) {
		struct ptl_map *bridge = ptl_bridge_at(map, i);

		if (!bridge)
			continue;
		handed |= state_in(bridge, who) == PTL_MEMBER_HANDED;
		crossing = end_in(map, i, bridge, who, end);
		ptl_map_detach(bridge);
	}
	if (crossing == PTL_CROSSED_LIVES)
		return crossing;
	if (left && handed && crossing == PTL_CROSSED_NOT && is_coming(gone))
		return PTL_CROSSED_LIVES;
	atomic_store_explicit(&gone->word, 0, memory_order_relaxed);
	/* Of one that is not there any more all is told. */
	return handed && crossing == PTL_CROSSED_NOT ? PTL_CROSSED_NOT :
						       PTL_CROSSED_ENDED;
}
