/* SPDX-License-Identifier: MIT */
/*
 * A fork child parts from a stream: what is written where its mapping was is
 * written to no stream, also if there is no memory for another mapping.
 */
#include "core/shm/map.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <stdio.h>
#include <sys/resource.h>
#include <trace.h>
#include <unistd.h>

/* All mappings stay as large as they are. */
static void no_more_memory(struct rlimit *before)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	struct rlimit limit;
	unsigned long pages = 0;

	if (!statm || fscanf(statm, "%lu", &pages) != 1)
		diag("no statm");
	getrlimit(RLIMIT_AS, before);
	limit = *before;
	limit.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE);
	setrlimit(RLIMIT_AS, &limit);
}

int main(void)
{
	const struct ptl_shm_attr attr = {
		.stream_size = 16384,
		.max_data = 100,
		.stream_policy = POSIX_TRACE_LOOP,
	};
	struct ptl_map *map = NULL, *parents = NULL, *own;
	char tmp[PTL_SHM_NAME];
	struct ptl_shm_ident me;
	struct rlimit limit;
	int dir;

	if (under_valgrind())
		skip_all("valgrind: mremap() gives no second mapping");
	plan(8);
	ptl_clock_init();
	ptl_ident_self(&me);
	dir = ptl_rundir_open(me.uid, true);
	is_int(ptl_map_create(dir, me.uid, &attr, &me, 0, tmp, &map), 0,
	       "a stream");
	ptl_map_publish(dir, tmp, map);
	is_int(ptl_map_attach(dir, me.uid, map->id, &parents), 0, "its own");
	own = ptl_map_part(map);
	ok(own != NULL, "parted");
	map->chunks[0] = 1;
	ok(parents->chunks[0] == 0, "the frame's is private");
	own->chunks[8] = 1;
	ok(parents->chunks[8] == 1, "ours is the stream");
	no_more_memory(&limit);
	ok(ptl_map_part(own) == NULL, "no memory");
	setrlimit(RLIMIT_AS, &limit);
	own->chunks[16] = 1;
	ok(parents->chunks[16] == 0, "the frame's is private even so");
	ok(ptl_map_state(own) == PTL_STATE_DEAD, "it is let go of");
	return done();
}
