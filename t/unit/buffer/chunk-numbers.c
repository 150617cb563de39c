/* SPDX-License-Identifier: MIT */
/*
 * The numbers in a chunk's word: in a stream of another pid namespace a thread
 * with our number is not ours; and chunks of one stream are not of the
 * generations of those of another.
 */
#include "core/buffer/chunk.h"
#include "core/buffer/leftover.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <trace.h>

#define TID 77

static int dir;

static struct ptl_map *make(const struct ptl_shm_ident *creator)
{
	const struct ptl_shm_attr attr = {
		.stream_size = 16384,
		.max_data = 100,
		.stream_policy = POSIX_TRACE_LOOP,
	};
	struct ptl_map *map = NULL;
	char tmp[PTL_SHM_NAME];

	is_int(ptl_map_create(dir, creator->uid, &attr, creator, 0, tmp, &map),
	       0, "a stream");
	ptl_map_publish(dir, tmp, map);
	return map;
}

/* In what state is a chunk of thread TID after TID's pid was another's? */
static uint32_t abandoned(struct ptl_map *map)
{
	struct ptl_claim claim;

	if (!ptl_chunk_claim(map, TID, 100, PTL_CLAIM_KEEP, PTL_CLAIM_STORES,
			     &claim))
		return PTL_CHUNK_FREE;
	ptl_leftover_abandoned(map, claim.index, TID);
	return ptl_own_state(map->table[claim.index].own);
}

int main(void)
{
	struct ptl_shm_ident me;
	struct ptl_map *map[2];

	plan(6);
	ptl_clock_init();
	ptl_ident_self(&me);
	ptl_ident_pidns = me.pidns;
	dir = ptl_rundir_open(me.uid, true);
	ok(dir >= 0, "the run directory");
	map[0] = make(&me);
	me.pidns++;
	map[1] = make(&me);
	ok(ptl_own_gen(map[0]->table[0].own) !=
		   ptl_own_gen(map[1]->table[0].own),
	   "they begin with different generations");
	is_int(abandoned(map[0]), PTL_CHUNK_PARTIAL, "ours is put to use");
	is_int(abandoned(map[1]), PTL_CHUNK_OPEN, "another's is left alone");
	return done();
}
