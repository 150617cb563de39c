/* SPDX-License-Identifier: MIT */
/* See program.h. */
#include "core/record/program.h"

#include "core/format/sysevents.h"
#include "core/record/attached.h"
#include "core/record/owner.h"
#include "core/sys/text.h"

#define NAME_SIZE 64

/* A copy: programs write over their arguments. */
static char name[NAME_SIZE];

void ptl_program_called(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		if (path[0] == '/' && path[1])
			base = path + 1;
	ptl_strcopy(name, sizeof(name), base);
}

static bool note_told(struct ptl_map *map)
{
	return !atomic_exchange_explicit(&map->is_told, true,
					 memory_order_relaxed);
}

/* May its name be told in the stream? */
static bool is_wanted(const struct ptl_map *map, uint32_t id)
{
	return name[0] && map->log->has_log && map->head->attr.calls &&
	       ptl_state_runs(ptl_head_state(map->head)) &&
	       !ptl_map_filters(map, id);
}

void ptl_program_tell(struct ptl_map *map, const struct ptl_emit_as *as)
{
	if (!ptl_program_is_told(map) &&
	    is_wanted(map, PTL_EV_PROCESS_PROGRAM) && note_told(map))
		ptl_emit_as(map, as, PTL_EV_PROCESS_PROGRAM, name,
			    ptl_strlen(name) + 1, map->max_data, NULL);
}

void ptl_program_ends(struct ptl_map *map)
{
	note_told(map);
}

void ptl_program_tell_all(uint64_t active)
{
	struct ptl_emit_as as;

	for (; active; active &= active - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(active));

		if (!map || ptl_program_is_told(map))
			continue;
		ptl_owner_self(&as);
		ptl_program_tell(map, &as);
	}
}

/* As ptl_program_tell(), and whose child it is. */
static void tell_child(struct ptl_map *map, const struct ptl_emit_as *as,
		       uint32_t parent)
{
	struct {
		int64_t parent;
		char name[NAME_SIZE];
	} child = {.parent = parent};

	note_told(map);
	ptl_strcopy(child.name, sizeof(child.name), name);
	ptl_emit_as(map, as, PTL_EV_PROCESS_CHILD, &child,
		    sizeof(child.parent) + ptl_strlen(name) + 1, map->max_data,
		    NULL);
}

void ptl_program_forked(uint64_t streams, const struct ptl_emit_as *as,
			uint32_t parent)
{
	for (; streams; streams &= streams - 1) {
		struct ptl_map *map = ptl_attached_map(
			(unsigned int)__builtin_ctzll(streams));

		if (map && ptl_map_filters(map, PTL_EV_PROCESS_FORK) &&
		    is_wanted(map, PTL_EV_PROCESS_CHILD))
			tell_child(map, as, parent);
	}
}

void ptl_program_introduce(struct ptl_map *map, const struct ptl_emit_as *as,
			   uint32_t id)
{
	if (id == PTL_EV_PROCESS_BEGIN)
		note_told(map);
	/* The next program says its name itself. */
	else if (id != PTL_EV_PROCESS_EXEC)
		ptl_program_tell(map, as);
}
