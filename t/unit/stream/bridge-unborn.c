/* SPDX-License-Identifier: MIT */
/* A child that is expected in a stream is expected until it comes: the children
 * that others make beyond a bridge are expected, and come, there. */
#include "core/process/children.h"
#include "core/shm/bridge.h"
#include "core/stream/bridges.h"

#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <unistd.h>

static struct ptl_stream *stream;
static struct ptl_map *bridge;

static uint32_t expected(void)
{
	ptl_bridges_settle(stream);
	return stream->map->head->unborn;
}

/* In the bridge. */
static void comes(uint32_t pid)
{
	ptl_children_came(bridge, pid, true);
}

int main(int argc, char **argv)
{
	struct ptl_shm_ident me;
	int32_t id;

	(void)argc;
	private_shm(argv);
	if (geteuid() == 0 && unshare(CLONE_NEWIPC))
		skip_all("no IPC namespace");
	plan(5);
	stream = ptl_stream_get(stream_run(getpid(), NULL), PTL_STREAM_ACTIVE);
	me = stream->map->head->creator;
	is_str(ptl_bridge_reach(stream->map, &me, me.uid, &id), NULL,
	       "a bridge");
	bridge = ptl_bridge_at(stream->map, 0);
	stream->map->head->unborn = 1;
	bridge->head->unborn = 1;
	comes(4711);
	is_int(expected(), 1, "one is still expected");
	is_int(bridge->head->unborn, 0, "in the stream alone");
	comes(4712);
	is_int(expected(), 0, "it has come, by the bridge");
	is_int(stream->map->head->processes, 3, "both are counted");
	ptl_map_detach(bridge);
	return done();
}
