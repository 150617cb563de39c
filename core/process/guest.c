/* SPDX-License-Identifier: MIT */
/* PTRACE_STREAMS names a stream by its id; of a bridge the number of its shared
 * memory follows. */
#include "core/process/guest.h"

#include "core/core.h"
#include "core/process/children.h"
#include "core/record/attached.h"
#include "core/shm/bridge.h"
#include "core/shm/members.h"
#include "core/shm/registry.h"
#include "core/shm/rundir.h"
#include "core/stream/bridges.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

bool ptl_guest_is(const char *streams)
{
	while (streams && *streams && *streams != PTL_STREAMS_BRIDGE)
		streams++;
	return streams && *streams;
}

static uint32_t image_now(void)
{
	return atomic_load_explicit(&ptl_attached_entry()->image,
				    memory_order_relaxed);
}

int ptl_guest_attach(int32_t shmid, uint64_t id, struct ptl_map **map)
{
	int err = ptl_bridge_attach(shmid, id, NULL, map);

	if (err || (*map)->uid == ptl_sys_geteuid())
		return err;
	ptl_map_detach(*map);
	return EPERM;
}

/* The next of the streams that are left which lists members: a bridge, or one
 * that others have, too, who are not of its user; NULL: there is none. */
static struct ptl_map *next_listing(uint64_t *left)
{
	struct ptl_map *map = NULL;

	for (; *left && !map; *left &= *left - 1) {
		/* Pairs with ptl_attached_install(). */
		map = atomic_load_explicit(
			&ptl_attached.map[__builtin_ctzll(*left)],
			memory_order_acquire);
		if (map && !map->bridge && map->uid == ptl_attached.ident.uid &&
		    !ptl_bridge_any(map))
			map = NULL;
	}
	return map;
}

/* The next stream in which we are a member. */
static struct ptl_map *next_ours(uint64_t *left)
{
	struct ptl_map *map;

	do
		map = next_listing(left);
	while (map && !map->bridge && map->uid == ptl_attached.ident.uid);
	return map;
}

static void enter(uint32_t state)
{
	uint64_t left = ptl_attached_active();
	struct ptl_map *map;

	while ((map = next_ours(&left)) != NULL)
		ptl_bridge_list(map, &ptl_attached.ident, image_now(), state);
}

void ptl_guest_joined(void)
{
	uint64_t left = ptl_attached_active();
	struct ptl_map *map;

	enter(PTL_MEMBER_JOINED);
	while ((map = next_ours(&left)) != NULL)
		ptl_children_executes(map, ptl_attached.ident.pid, NULL);
}

void ptl_guest_ended(void)
{
	enter(PTL_MEMBER_ENDED);
}

void ptl_guest_reaped(const struct ptl_shm_ident *who,
		      const struct ptl_end *end)
{
	uint64_t left = ptl_attached_active();
	struct ptl_map *map;
	uint32_t image;

	while ((map = next_listing(&left)) != NULL)
		if (ptl_members_claim_end(map, who, &image))
			ptl_bridges_tell_end(map, who, image, end);
}

bool ptl_guest_was(void)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_attached_install(). */
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_acquire);

		if (map && !map->bridge &&
		    ptl_members_find(map, &ptl_attached.ident))
			return true;
	}
	return false;
}

void ptl_guest_back(void)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_attached_install(). */
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_acquire);

		if (map && !map->bridge)
			ptl_members_forget(map, &ptl_attached.ident);
	}
}

/* Does the path of a stream lead to it from here? */
static bool is_there(const struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	ptl_segment_name_stream(name, map->id);
	return !ptl_rundir_lacks(map->uid, name);
}

/* A program with other effective than real ids takes nothing from its
 * environment, and is not traced. */
static bool has_privileges(void)
{
	return ptl_sys(SYS_getuid, 0, 0, 0, 0) !=
		       ptl_sys(SYS_geteuid, 0, 0, 0, 0) ||
	       ptl_sys(SYS_getgid, 0, 0, 0, 0) !=
		       ptl_sys(SYS_getegid, 0, 0, 0, 0);
}

/* In the name of whoever will be there: this process, or its parent. */
static const char *bridge(struct ptl_map *map, int32_t *id)
{
	struct ptl_shm_ident who = {
		.pid = (uint32_t)ptl_sys_getpid(),
		.pidns = ptl_attached.ident.pidns,
		.born = ptl_boottime(),
	};
	const char *reason = ptl_bridge_reach(map, &who, image_now(), id);

	/* In the stream itself, which only its own processes can write to: of
	 * this one the bridge knows more from now on. */
	if (!reason)
		ptl_members_enter(map, &who, 0, PTL_MEMBER_HANDED);
	return reason;
}

/* Where neither a path nor a bridge leads to the stream. */
static const char *out_of_reach(const struct ptl_map *map)
{
	return is_there(map) ? "other IPC namespace" :
			       "other IPC namespace and /dev/shm (bwrap: add "
			       "--bind /dev/shm /dev/shm)";
}

/* The stream of bit i that a child gets from us; NULL: none, or it is dead. */
static struct ptl_map *handed_on(unsigned int i)
{
	uint64_t ref = atomic_load_explicit(&ptl_attached_entry()->refs[i],
					    memory_order_relaxed);
	struct ptl_map *map =
		ptl_ref_inherited(ref) ? ptl_attached_map(i) : NULL;

	return map && !(ptl_map_state(map) & PTL_STATE_DEAD) ? map : NULL;
}

/* Why a program that we execute will not find this bridge; NULL: it will.  In
 * another namespace the number may be that of other memory. */
static const char *why_not(const struct ptl_map *bridge)
{
	if (ptl_bridge_is_elsewhere(bridge))
		return "other IPC namespace";
	return ptl_bridge_is_mine((int32_t)bridge->bridge - 1) ?
		       NULL :
		       "other user of a bridge";
}

const char *ptl_guest_reach(bool *bridged)
{
	uint32_t uid = ptl_sys_geteuid();
	const char *reason = NULL;
	bool found = false;
	int32_t id;

	*bridged = false;
	for (uint64_t left = ptl_attached_active(); left && !reason;
	     left &= left - 1) {
		struct ptl_map *map =
			handed_on((unsigned int)__builtin_ctzll(left));

		if (!map)
			continue;
		if (!map->bridge && uid == map->uid &&
		    (found || is_there(map))) {
			found = true;
			continue;
		}
		*bridged = true;
		reason = map->bridge ? why_not(map) : NULL;
		if (map->bridge && !reason)
			continue;
		if (has_privileges())
			return "other real user or group";
		if (!map->bridge)
			reason = ptl_bridge_is_elsewhere(map) ?
					 out_of_reach(map) :
					 bridge(map, &id);
	}
	return reason;
}

uint64_t ptl_guest_room(void)
{
	uint64_t room = 0;

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		const struct ptl_map *map =
			handed_on((unsigned int)__builtin_ctzll(left));

		room += map ? map->size : 0;
	}
	return room;
}

int32_t ptl_guest_bridge(unsigned int i)
{
	struct ptl_map *map = ptl_attached_map(i);
	int32_t id;

	if (!map)
		return -1;
	if (map->bridge)
		return (int32_t)map->bridge - 1;
	return bridge(map, &id) ? -1 : id;
}
