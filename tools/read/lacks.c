/* SPDX-License-Identifier: MIT */
/* What is missing of logs; see lacks.h. */
#include "tools/read/lacks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/hash.h"
#include "tools/lib/say.h"

/* So many lines for logs of which the same is true, and no more. */
#define FEW 8

typedef struct posix_trace_info_np info_np;

static void say_one(enum ptl_source_lack lack, const char *path,
		    const info_np *info)
{
	switch (lack) {
	case PTL_SOURCE_WRITTEN:
		ptl_say("%s: incomplete: still being written; %llu events so "
			"far",
			path, info->events);
		break;
	case PTL_SOURCE_CUT:
		ptl_say("%s: incomplete: no end mark up to byte %llu; "
			"%llu events salvaged",
			path,
			info->bad_offset > 0 ? info->bad_offset :
					       info->log_size,
			info->events);
		break;
	case PTL_SOURCE_DAMAGED:
		ptl_say("%s: damaged: %llu bytes not understood, the first at "
			"byte %llu; %llu events salvaged",
			path, info->bad_size, info->bad_offset, info->events);
		break;
	case PTL_SOURCE_REPLACED:
		ptl_say("%s: removed or replaced while it was read: %llu bytes "
			"are missing; %llu events salvaged",
			path, info->bad_size, info->events);
		break;
	case PTL_SOURCE_ORPHANED:
		ptl_say("%s: ends early: its controller was killed, and %u "
			"process%s went on",
			path, info->live_processes,
			info->live_processes == 1 ? "" : "es");
		break;
	case PTL_SOURCE_UNFIT:
		ptl_say("%s: its controller was killed: %llu events did not "
			"fit into the stream",
			path, info->lost);
		break;
	default:
		break;
	}
}

/* The logs of which one thing is true. */
struct group {
	size_t nr;
	const char *first;
	unsigned long long events, bad_size, lost;
};

static void say_all(enum ptl_source_lack lack, const struct group *all)
{
	switch (lack) {
	case PTL_SOURCE_WRITTEN:
		ptl_say("%zu logs incomplete: still being written; %llu events "
			"so far, first %s",
			all->nr, all->events, all->first);
		break;
	case PTL_SOURCE_CUT:
		ptl_say("%zu logs incomplete: no end mark; %llu events "
			"salvaged, first %s",
			all->nr, all->events, all->first);
		break;
	case PTL_SOURCE_DAMAGED:
		ptl_say("%zu logs damaged: %llu bytes not understood; %llu "
			"events salvaged, first %s",
			all->nr, all->bad_size, all->events, all->first);
		break;
	case PTL_SOURCE_REPLACED:
		ptl_say("%zu logs removed or replaced while they were read: "
			"%llu bytes are missing; %llu events salvaged, first "
			"%s",
			all->nr, all->bad_size, all->events, all->first);
		break;
	case PTL_SOURCE_ORPHANED:
		ptl_say("%zu logs end early: their controllers were killed, "
			"and processes went on, first %s",
			all->nr, all->first);
		break;
	case PTL_SOURCE_UNFIT:
		ptl_say("%zu logs: their controllers were killed: %llu events "
			"did not fit into the stream, first %s",
			all->nr, all->lost, all->first);
		break;
	default:
		break;
	}
}

static void count(struct group *group, const char *path, const info_np *info)
{
	if (group->nr++ == 0)
		group->first = path;
	group->events += info->events;
	group->bad_size += info->bad_size;
	group->lost += info->lost;
}

/* Walks the logs that are not whole. */
static int walk(const struct ptl_merge *merge, bool is_following,
		struct group *group, bool is_saying)
{
	int status = PTL_EXIT_OK;
	info_np info;

	for (size_t i = 0; i < merge->nr_sources; i++) {
		const struct ptl_source *source = &merge->source[i];
		enum ptl_source_lack lack;

		/* That was said when it was found. */
		if (source->is_holed) {
			status = PTL_EXIT_DAMAGED;
			continue;
		}
		/* What was overwritten is not damaged. */
		if (is_following && is_saying &&
		    ptl_source_outrun(source) != PTL_EXIT_OK) {
			status = PTL_EXIT_DAMAGED;
			continue;
		}
		lack = ptl_source_verdict(source, &info);
		if (lack == PTL_SOURCE_WHOLE)
			continue;
		if (lack != PTL_SOURCE_UNFIT)
			status = PTL_EXIT_DAMAGED;
		if (!is_saying)
			count(&group[lack], source->path, &info);
		else if (group[lack].nr <= FEW)
			say_one(lack, source->path, &info);
		else if (group[lack].first != NULL) {
			say_all(lack, &group[lack]);
			group[lack].first = NULL;
		}
	}
	return status;
}

int ptl_lacks_say(const struct ptl_merge *merge, bool is_following)
{
	struct group group[PTL_SOURCE_LACKS] = {{0}};

	/* Where some are followed, each is said. */
	if (!is_following)
		walk(merge, false, group, false);
	return walk(merge, is_following, group, true);
}
