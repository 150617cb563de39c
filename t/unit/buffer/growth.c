/* SPDX-License-Identifier: MIT */
/*
 * A stream with log gets more chunks than it began with when none is free, by
 * whoever may make a system call; also after a thread was killed on its way to
 * one.  Other streams do not.
 */
#include "core/buffer/growth.h"

#include "core/buffer/chunk.h"
#include "core/buffer/chunk_change.h"
#include "core/buffer/cursor.h"
#include "core/buffer/leftover.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

static struct ptl_shm_ident me;
static int dir;

static struct ptl_map *make(uint32_t policy)
{
	const struct ptl_shm_attr attr = {
		.stream_size = 65536,
		.max_data = 100,
		.stream_policy = policy,
	};
	struct ptl_map *map = NULL;
	char tmp[PTL_SHM_NAME];

	is_int(ptl_map_create(dir, me.uid, &attr, &me, 0, tmp, &map), 0,
	       "a stream");
	ptl_map_publish(dir, tmp, map);
	return map;
}

/* Each as another thread that keeps it.  How many there were. */
static uint32_t claim_all(struct ptl_map *map, enum ptl_claim_for use,
			  enum ptl_claim_by by)
{
	static uint32_t tid = 0x700000;
	struct ptl_claim claim;
	uint32_t nr = 0;

	while (ptl_chunk_claim(map, tid++, 100, use, by, &claim))
		nr++;
	return nr;
}

static bool is_zero(const struct ptl_map *map, uint32_t i)
{
	const unsigned char *at = ptl_map_chunk(map, i);

	return at[0] == 0 && memcmp(at, at + 1, map->chunk_size - 1) == 0;
}

static bool has_memory(const struct ptl_map *map, uint32_t i)
{
	unsigned char in[1] = {0};

	return mincore(ptl_map_chunk(map, i), 1, in) == 0 && in[0] & 1;
}

static void check_others(uint32_t policy, const char *name)
{
	struct ptl_map *map = make(policy);

	is_int(map->nr_chunks, map->nr_first, "%s: it is as it was made", name);
	is_int(ptl_growth_take(map, 1, PTL_CHUNK_OPEN), UINT32_MAX,
	       "%s: no more", name);
	ptl_map_detach(map);
}

static void check_growth(void)
{
	struct ptl_map *map = make(POSIX_TRACE_FLUSH);
	uint32_t first = map->nr_first, kept;

	ok(map->nr_chunks > first, "there can be more");
	ok(!has_memory(map, first), "which take no memory yet");
	kept = claim_all(map, PTL_CLAIM_KEEP, PTL_CLAIM_STORES);
	ok(kept < first, "without system calls some are left to all");
	is_int(ptl_map_present(map), first, "and there are no new ones");
	is_int(claim_all(map, PTL_CLAIM_KEEP, PTL_CLAIM_GROWS),
	       map->nr_chunks - first, "with: a new one for each thread");
	is_int(ptl_map_present(map), map->nr_chunks, "all of them");
	ok(is_zero(map, map->nr_chunks - 1), "a new one is zero");
	ok(claim_all(map, PTL_CLAIM_ONCE, PTL_CLAIM_GROWS) > 0,
	   "and some are left");
	ptl_map_detach(map);
}

/* Between taking its entry and saying that it is there. */
static void check_killed(void)
{
	struct ptl_cursor cursor = {.gen = 1, .pos = 8};
	struct ptl_map *map = make(POSIX_TRACE_BLOCK_NP);
	uint32_t first = map->nr_first, i;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	atomic_store(&map->table[first].own,
		     ptl_own(PTL_CHUNK_CLEANING, 1, (uint32_t)pid));
	i = ptl_growth_take(map, 1, PTL_CHUNK_OPEN);
	is_int(i, first + 1, "the next thread goes on behind it");
	is_int(ptl_map_present(map), first + 2, "both are there");
	ok(ptl_cursor_has_moved(&cursor), "of what was read it is not asked");
	ok(!ptl_cursor_has_moved(&cursor), "the next time it is");
	is_int(ptl_leftover_reap(map), 1, "what the dead thread left");
	is_int(ptl_own_state(map->table[first].own), PTL_CHUNK_FREE, "is free");
	ptl_map_detach(map);
}

/* What another process writes to the word is not believed. */
static void check_hostile(void)
{
	struct ptl_map *map = make(POSIX_TRACE_FLUSH);

	atomic_store(&map->head->present, UINT32_MAX);
	is_int(ptl_map_present(map), map->nr_chunks, "no more than there are");
	is_int(ptl_growth_take(map, 1, PTL_CHUNK_OPEN), UINT32_MAX,
	       "and no new one");
	atomic_store(&map->head->present, 0);
	is_int(claim_all(map, PTL_CLAIM_ONCE, PTL_CLAIM_STORES), 0, "none");
	ptl_map_detach(map);
}

int main(void)
{
	plan(27);
	ptl_clock_init();
	ptl_ident_self(&me);
	ptl_ident_pidns = me.pidns;
	dir = ptl_rundir_open(me.uid, true);
	ok(dir >= 0, "the run directory");
	check_others(POSIX_TRACE_LOOP, "LOOP");
	check_others(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	check_growth();
	check_killed();
	check_hostile();
	return done();
}
