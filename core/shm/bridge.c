/* SPDX-License-Identifier: MIT */
/*
 * Making a bridge, and the list of them.  There is one for each user, so that
 * none costs more than that many; a place is free again only when what was
 * there is removed.
 *
 * A bridge has no name, but a key for as long as it is made: so what a maker
 * leaves that is killed can be found.
 */
#include "core/shm/bridge.h"

#include "core/shm/members.h"
#include "core/shm/segment.h"
#include "core/shm/select.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <string.h>
#include <sys/shm.h>

#define KEY_TRIES 8
#define PERMISSIONS 0777

static uint64_t get(const struct ptl_shm_guest *guest)
{
	/* Pairs with change(): the rest of a READY one is there. */
	return atomic_load_explicit(&guest->word, memory_order_seq_cst);
}

static bool change(struct ptl_shm_guest *guest, uint64_t from, uint64_t to)
{
	/* Pairs with get(). */
	return atomic_compare_exchange_strong_explicit(&guest->word, &from, to,
						       memory_order_seq_cst,
						       memory_order_relaxed);
}

static int stat_shm(int32_t id, struct shmid_ds *ds)
{
	return (int)-ptl_sys(SYS_shmctl, id, IPC_STAT, ds, 0);
}

static int remove_shm(int32_t id)
{
	return (int)-ptl_sys(SYS_shmctl, id, IPC_RMID, NULL, 0);
}

/* ---- mapping ------------------------------------------------------ */

static bool good_prefix(const void *base, uint64_t size, uint64_t id)
{
	const struct ptl_shm_prefix prefix =
		*(const struct ptl_shm_prefix *)base;

	return prefix.magic == PTL_SHM_MAGIC_STREAM &&
	       prefix.major == PTL_SHM_MAJOR &&
	       prefix.byte_order == PTL_BYTE_ORDER_MARK &&
	       prefix.total_size == size && prefix.id == id;
}

static bool is_like(const struct ptl_map *bridge, const struct ptl_map *map)
{
	return bridge->size == ptl_map_bridge_size(map) &&
	       bridge->nr_chunks <= PTL_BRIDGE_CHUNKS &&
	       bridge->chunk_size == map->chunk_size &&
	       bridge->max_data == map->max_data &&
	       bridge->stack_depth == map->stack_depth &&
	       bridge->clock == map->clock;
}

/* In memory of our own, if it is a copy that it belongs to. */
static void *copied(void *base, uint64_t size)
{
	void *copy = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy != MAP_FAILED)
		memcpy(copy, base, size);
	ptl_sys(SYS_shmdt, base, 0, 0, 0);
	return copy;
}

/* Of an id that is used again it is known only now what it is. */
static int check(int32_t shmid, void *base, uint64_t id, struct shmid_ds *ds)
{
	int err = stat_shm(shmid, ds);

	if (err)
		return err;
	return ds->shm_segsz >= sizeof(struct ptl_shm_head) &&
			       (ds->shm_perm.mode & PERMISSIONS) == 0600 &&
			       good_prefix(base, ds->shm_segsz, id) ?
		       0 :
		       EBADMSG;
}

int ptl_bridge_attach(int32_t shmid, uint64_t id, const struct ptl_map *like,
		      struct ptl_map **map)
{
	bool is_copy = like && like->is_copy;
	struct shmid_ds ds;
	long base = ptl_sys_shmat(shmid, is_copy ? SHM_RDONLY : 0,
				  like ? like->size : 0);
	void *at = (void *)base;
	int err;

	if (base < 0 && base > -4096)
		return (int)-base;
	err = check(shmid, at, id, &ds);
	if (err) {
		ptl_sys(SYS_shmdt, at, 0, 0, 0);
		return err;
	}
	if (is_copy)
		at = copied(at, ds.shm_segsz);
	if (at == MAP_FAILED)
		return ENOMEM;
	err = ptl_map_enter(at, ds.shm_segsz, ds.shm_perm.cuid, id, map);
	if (err)
		return err;
	(*map)->bridge = (uint32_t)shmid + 1;
	(*map)->is_copy = is_copy;
	if (!like || is_like(*map, like))
		return 0;
	ptl_map_detach(*map);
	return EBADMSG;
}

bool ptl_bridge_is_mine(int32_t shmid)
{
	struct shmid_ds ds;

	return stat_shm(shmid, &ds) == 0 &&
	       ds.shm_perm.cuid == ptl_sys_geteuid();
}

/* A user's list of bridges means nobody else's memory. */
static bool is_theirs(const struct ptl_map *map, uint32_t uid)
{
	return map->uid == ptl_sys_geteuid() || map->uid == uid;
}

struct ptl_map *ptl_bridge_at(struct ptl_map *map, unsigned int i)
{
	struct ptl_shm_guest *guest = &map->log->bridges.guest[i];
	struct ptl_map *bridge;

	if (ptl_guest_state(get(guest)) != PTL_GUEST_READY ||
	    ptl_bridge_attach(guest->id, map->id, map, &bridge) != 0)
		return NULL;
	if (is_theirs(map, bridge->uid))
		return bridge;
	ptl_map_detach(bridge);
	return NULL;
}

static unsigned int users(const struct ptl_shm_guest *guest)
{
	uint32_t ours =
		atomic_load_explicit(&guest->attached, memory_order_relaxed);
	struct shmid_ds ds;

	if (stat_shm(guest->id, &ds) != 0)
		return 0;
	return ds.shm_nattch > ours ? (unsigned int)(ds.shm_nattch - ours) : 0;
}

unsigned int ptl_bridge_users(const struct ptl_map *map, unsigned int i)
{
	const struct ptl_shm_guest *guest = &map->log->bridges.guest[i];

	return ptl_guest_state(get(guest)) == PTL_GUEST_READY ? users(guest) :
								0;
}

/* ---- what the stream's head says ---------------------------------- */

static void mirror_state(struct ptl_shm_head *head, uint32_t state)
{
	if (state & PTL_STATE_DEAD)
		/* Pairs with record() in emit.c. */
		atomic_fetch_or_explicit(&head->state, PTL_STATE_DEAD,
					 memory_order_seq_cst);
	/* The stream is full: a bridge has its own room. */
	else if (state & (PTL_STATE_RUNNING | PTL_STATE_FULL))
		ptl_head_change(head, 0, PTL_STATE_RUNNING);
	else if (!ptl_head_change(head, PTL_STATE_RUNNING, 0))
		ptl_head_change(head, PTL_STATE_FULL, 0);
}

static void mirror(const struct ptl_map *map, struct ptl_map *bridge)
{
	struct ptl_shm_head *head = map->head;
	uint64_t filter[PTL_FILTER_WORDS];
	unsigned int tries = 0;
	uint16_t state;
	bool same;

	/* Not for ever: the segment may be another user's. */
	do {
		/* Pairs with ptl_head_change(): who announces a bridge sees the
		 * change, or who changes sees the bridge. */
		state = atomic_load_explicit(&head->state,
					     memory_order_seq_cst);
		ptl_map_filter(map, filter);
		ptl_map_set_filter(bridge, filter);
		ptl_map_copy_io_data(bridge, map);
		ptl_select_copy(bridge, map);
		atomic_store_explicit(
			&bridge->head->cleared,
			atomic_load_explicit(&head->cleared,
					     memory_order_relaxed),
			memory_order_relaxed);
		mirror_state(bridge->head, state);
		/* Pairs with ptl_head_change(). */
		same = atomic_load_explicit(&head->state,
					    memory_order_seq_cst) == state;
	} while (!same && ++tries < 64);
}

void ptl_bridge_mirror(struct ptl_map *map)
{
	if (map->is_copy || !ptl_bridge_any(map))
		return;
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++) {
		struct ptl_map *bridge = ptl_bridge_at(map, i);

		if (!bridge)
			continue;
		mirror(map, bridge);
		ptl_map_detach(bridge);
	}
}

/* ---- making ------------------------------------------------------- */

/* Where /proc does not say, he does, or finds out. */
bool ptl_bridge_is_elsewhere(const struct ptl_map *map)
{
	uint64_t theirs = map->log->bridges.ipcns, ours = ptl_ipcns();

	return theirs && ours && theirs != ours;
}

static const char *why(int err)
{
	switch (err) {
	case ENOSYS:
		return "no System V shared memory";
	case ENOSPC:
	case ENOMEM:
		return "no room for System V shared memory";
	case EUSERS:
		return "too many users";
	case EIDRM:
		return "the trace has ended";
	default:
		return "no access to System V shared memory";
	}
}

/* A place of the list, with the key that goes with it; NULL: none is free. */
static struct ptl_shm_guest *claim(struct ptl_map *map, uint64_t *word)
{
	uint32_t key = (uint32_t)ptl_segment_new_id(),
		 tid = (uint32_t)ptl_sys_gettid() | map->tid_mark;

	/* Not IPC_PRIVATE. */
	*word = ptl_guest_word(PTL_GUEST_MAKING, key ? key : 1, tid);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++)
		if (get(&map->log->bridges.guest[i]) == 0 &&
		    change(&map->log->bridges.guest[i], 0, *word))
			return &map->log->bridges.guest[i];
	return NULL;
}

/* The memory of a place that was claimed: 0600, and the stream's user may have
 * it, too.  Returns its id, or -errno. */
static int make_memory(const struct ptl_map *map, uint64_t word, uint64_t size)
{
	struct shmid_ds ds;
	int id = (int)ptl_sys(SYS_shmget, ptl_guest_key(word), size,
			      IPC_CREAT | IPC_EXCL | 0600, 0);

	if (id < 0 || stat_shm(id, &ds) != 0)
		return id;
	ds.shm_perm.uid = map->uid;
	/* In a user namespace that user may have no number: it is found out
	 * by who tries. */
	ptl_sys(SYS_shmctl, id, IPC_SET, &ds, 0);
	return id;
}

static int fill(struct ptl_map *map, uint64_t word, int32_t id,
		struct ptl_map **bridge)
{
	long base = ptl_sys_shmat(id, 0, map->size);

	if (base < 0 && base > -4096)
		return (int)-base;
	ptl_map_bridge_fill(map, (void *)base, ptl_guest_key(word));
	ptl_sys(SYS_shmdt, base, 0, 0, 0);
	return ptl_bridge_attach(id, map->id, map, bridge);
}

/* False: the stream is dead meanwhile, and nobody looks for its bridges. */
static bool announce(struct ptl_map *map, struct ptl_shm_guest *guest,
		     uint64_t word, int32_t id, struct ptl_map *bridge)
{
	uint64_t ready =
		ptl_guest_word(PTL_GUEST_READY, ptl_guest_key(word), 0);

	guest->id = id;
	guest->uid = ptl_sys_geteuid();
	atomic_store_explicit(&guest->attached, 0, memory_order_relaxed);
	if (!change(guest, word, ready))
		return false;
	mirror(map, bridge);
	/* Pairs with ptl_bridge_any(). */
	atomic_fetch_add_explicit(&map->log->bridges.announced, 1,
				  memory_order_seq_cst);
	mirror(map, bridge);
	/* Pairs with ptl_bridge_remove_all(): it sees the bridge, or we that it
	 * was there. */
	if (atomic_load_explicit(&map->head->state, memory_order_seq_cst) &
	    PTL_STATE_DEAD) {
		change(guest, ready, 0);
		return false;
	}
	ptl_wait_wake(&map->head->flusher);
	return true;
}

/* A new bridge, with that process in it.  Returns 0 or why not. */
static int make(struct ptl_map *map, const struct ptl_shm_ident *who,
		uint32_t image, int32_t *id)
{
	uint64_t size = ptl_map_bridge_size(map), word = 0;
	struct ptl_shm_guest *guest;
	struct ptl_map *bridge;
	int shmid = -EEXIST, err;

	for (int tries = 0; tries < KEY_TRIES && shmid == -EEXIST; tries++) {
		guest = claim(map, &word);
		if (!guest)
			return EUSERS;
		shmid = make_memory(map, word, size);
		if (shmid < 0)
			change(guest, word, 0);
	}
	if (shmid < 0)
		return -shmid;
	err = fill(map, word, shmid, &bridge);
	if (err) {
		remove_shm(shmid);
		change(guest, word, 0);
		return err;
	}
	bridge->log->bridges.ipcns = map->log->bridges.ipcns;
	ptl_members_enter(bridge, who, image, PTL_MEMBER_HANDED);
	if (!announce(map, guest, word, shmid, bridge)) {
		remove_shm(shmid);
		err = EIDRM;
	}
	ptl_map_detach(bridge);
	*id = shmid;
	return err;
}

/* The bridge of place i, if it is one for that user and stays one. */
static bool find(struct ptl_map *map, unsigned int i, uint32_t uid,
		 const struct ptl_shm_ident *who, uint32_t image, int32_t *id)
{
	struct ptl_shm_guest *guest = &map->log->bridges.guest[i];
	uint64_t word = get(guest);
	struct ptl_map *bridge;
	bool good;

	if (ptl_guest_state(word) != PTL_GUEST_READY || guest->uid != uid)
		return false;
	*id = guest->id;
	if (ptl_bridge_attach(*id, map->id, map, &bridge) != 0)
		return false;
	good = bridge->uid == uid;
	if (good)
		ptl_members_enter(bridge, who, image, PTL_MEMBER_HANDED);
	/* Pairs with ptl_bridge_retire(): it has seen us, or we see it. */
	good = good && get(guest) == word;
	ptl_map_detach(bridge);
	return good;
}

const char *ptl_bridge_reach(struct ptl_map *map,
			     const struct ptl_shm_ident *who, uint32_t image,
			     int32_t *id)
{
	uint32_t uid = ptl_sys_geteuid();
	int err;

	if (ptl_bridge_is_elsewhere(map))
		return "other IPC namespace";
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++)
		if (find(map, i, uid, who, image, id))
			return NULL;
	err = make(map, who, image, id);
	return err ? why(err) : NULL;
}

void ptl_bridge_list(struct ptl_map *map, const struct ptl_shm_ident *who,
		     uint32_t image, uint32_t state)
{
	ptl_members_enter(map, who, image, state);
	/* Pairs with ptl_bridge_any(). */
	if (!ptl_bridge_any(map))
		atomic_fetch_add_explicit(&map->log->bridges.announced, 1,
					  memory_order_seq_cst);
}

/* ---- removing ----------------------------------------------------- */

/* Of what is announced in another user's segment only that user's is removed,
 * and only if it is what it should be. */
static void remove_of(struct ptl_map *map, struct ptl_shm_guest *guest,
		      uint64_t word)
{
	int32_t id = (int32_t)ptl_sys(SYS_shmget, ptl_guest_key(word), 0, 0, 0);
	struct shmid_ds ds;

	if (id >= 0 && stat_shm(id, &ds) == 0 &&
	    ds.shm_segsz == ptl_map_bridge_size(map) &&
	    is_theirs(map, ds.shm_perm.cuid))
		remove_shm(id);
	change(guest, word, 0);
}

bool ptl_bridge_retire(struct ptl_map *map, unsigned int i,
		       struct ptl_map *bridge,
		       bool (*is_left)(struct ptl_map *bridge))
{
	struct ptl_shm_guest *guest = &map->log->bridges.guest[i];
	uint64_t word = get(guest),
		 leaving =
			 ptl_guest_word(PTL_GUEST_LEAVING, ptl_guest_key(word),
					(uint32_t)ptl_sys_gettid());

	/* Pairs with find(). */
	if (ptl_guest_state(word) != PTL_GUEST_READY ||
	    !change(guest, word, leaving))
		return false;
	if (users(guest) > 0 || !is_left(bridge)) {
		change(guest, leaving, word);
		return false;
	}
	remove_of(map, guest, leaving);
	return true;
}

void ptl_bridge_remove_all(struct ptl_map *map)
{
	if (map->is_copy)
		return;
	/* The bridge is dead for all, first.  Pairs with announce(). */
	atomic_thread_fence(memory_order_seq_cst);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++) {
		uint64_t word = get(&map->log->bridges.guest[i]);

		if (word)
			remove_of(map, &map->log->bridges.guest[i], word);
	}
}

void ptl_bridge_collect(struct ptl_map *map)
{
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++) {
		struct ptl_shm_guest *guest = &map->log->bridges.guest[i];
		uint64_t word = get(guest);
		uint32_t tid = ptl_guest_tid(word);

		if (ptl_guest_state(word) == PTL_GUEST_MAKING &&
		    !(tid & PTL_TID_FOREIGN) && !ptl_tid_alive((int)tid))
			remove_of(map, guest, word);
		else if (ptl_guest_state(word) == PTL_GUEST_LEAVING &&
			 !ptl_tid_alive((int)tid))
			change(guest, word,
			       ptl_guest_word(PTL_GUEST_READY,
					      ptl_guest_key(word), 0));
	}
}
