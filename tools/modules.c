/* SPDX-License-Identifier: MIT */
/*
 * What is mapped where; see modules.h.  A forked child has its parent's map
 * until it maps something itself, so maps are shared and copied on write.
 */
#include "tools/modules.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/say.h"
#include "tools/symbols.h"

#define SPACES_HASH 4096

struct module {
	uint64_t base;
	uint64_t end;
	struct ptl_symfile *file;
};

/* Sorted by base, without overlaps. */
struct map {
	unsigned int users;
	size_t nr, room;
	struct module *module;
};

/* An image of a process. */
struct space {
	struct space *next;
	pid_t pid;
	unsigned int image;
	bool is_own; /* it has told of itself */
	bool is_ended;
	struct map *map;
};

struct ptl_modules {
	struct space *hash[SPACES_HASH];
	struct space *last; /* found: most lookups repeat */
};

struct ptl_modules *ptl_modules_new(void)
{
	return ptl_alloc(sizeof(struct ptl_modules));
}

static void release(struct map *map)
{
	if (map == NULL || --map->users > 0)
		return;
	free(map->module);
	free(map);
}

void ptl_modules_free(struct ptl_modules *modules)
{
	if (modules == NULL)
		return;
	for (size_t i = 0; i < SPACES_HASH; i++) {
		struct space *space, *next;

		for (space = modules->hash[i]; space != NULL; space = next) {
			next = space->next;
			release(space->map);
			free(space);
		}
	}
	free(modules);
}

static struct space *find_space(struct ptl_modules *modules, pid_t pid,
				unsigned int image)
{
	struct space *space = modules->last;

	if (space != NULL && space->pid == pid && space->image == image)
		return space;
	space = modules->hash[(unsigned int)pid % SPACES_HASH];
	while (space != NULL && (space->pid != pid || space->image != image))
		space = space->next;
	if (space != NULL)
		modules->last = space;
	return space;
}

static struct space *get_space(struct ptl_modules *modules, pid_t pid,
			       unsigned int image)
{
	struct space *space = find_space(modules, pid, image);
	struct space **head = &modules->hash[(unsigned int)pid % SPACES_HASH];

	if (space != NULL)
		return space;
	space = ptl_alloc(sizeof(*space));
	space->pid = pid;
	space->image = image;
	space->next = *head;
	*head = space;
	return space;
}

/* The map of a space, its own alone, so that it can be changed. */
static struct map *own_map(struct space *space)
{
	struct map *old = space->map;
	struct map *map;

	if (old != NULL && old->users == 1)
		return old;
	map = ptl_alloc(sizeof(*map));
	map->users = 1;
	if (old != NULL) {
		map->nr = map->room = old->nr;
		map->module = ptl_alloc((old->nr + 1) * sizeof(*map->module));
		memcpy(map->module, old->module,
		       old->nr * sizeof(*map->module));
		release(old);
	}
	space->map = map;
	return map;
}

/* How many modules begin at or below the address. */
static size_t nr_below(const struct map *map, uint64_t address)
{
	size_t low = 0, high = map->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->module[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Puts a module in; what it overlaps has been unmapped in the meantime. */
static void insert(struct map *map, const struct module *module)
{
	size_t first = nr_below(map, module->base), last;

	while (first > 0 && map->module[first - 1].end > module->base)
		first--;
	for (last = first; last < map->nr; last++)
		if (map->module[last].base >= module->end)
			break;
	map->module = ptl_grow(map->module, map->nr, &map->room,
			       sizeof(*map->module));
	memmove(map->module + first + 1, map->module + last,
		(map->nr - last) * sizeof(*map->module));
	map->module[first] = *module;
	map->nr = map->nr - (last - first) + 1;
}

static void learn_map(struct space *space, const struct ptl_arg *args,
		      unsigned int nr_args)
{
	const struct ptl_arg *base = ptl_decode_find(args, nr_args, "base");
	const struct ptl_arg *size = ptl_decode_find(args, nr_args, "size");
	const struct ptl_arg *path = ptl_decode_find(args, nr_args, "path");
	const struct ptl_arg *id = ptl_decode_find(args, nr_args, "build_id");
	struct module module = {0, 0, NULL};

	if (base == NULL || size == NULL || size->value == 0)
		return;
	module.base = (uint64_t)base->value;
	module.end = module.base + (uint64_t)size->value;
	if (module.end <= module.base)
		return;
	/* Without the id, cut off, nobody knows which file it was. */
	if (path != NULL && id != NULL && path->type == PTL_ARG_STRING &&
	    id->type == PTL_ARG_BYTES)
		module.file = ptl_symfile_get(path->bytes, path->size,
					      id->bytes, id->size);
	/* The loader's base is what it adds to the file's own addresses. */
	if (module.base == 0) {
		if (module.file == NULL)
			return;
		module.base = ptl_symfile_fixed_base(module.file);
		module.end += module.base;
	}
	insert(own_map(space), &module);
	space->is_own = true;
}

/*
 * A child of that pid begins with its parent's map; an older process of that
 * pid is gone.  After a vfork the child can have told of itself before the
 * parent could tell of the child.
 */
static void learn_fork(struct ptl_modules *modules, struct space *parent,
		       pid_t child)
{
	struct space *space;

	for (space = modules->hash[(unsigned int)child % SPACES_HASH];
	     space != NULL; space = space->next) {
		if (space->pid != child || space == parent ||
		    (space->is_own && !space->is_ended))
			continue;
		release(space->map);
		space->map = NULL;
		space->is_own = space->is_ended = false;
	}
	/* Which image number it counts from, is not told: both will do. */
	for (int i = 0; i < 2; i++) {
		space = get_space(modules, child, i ? parent->image : 0);
		if (space->map != NULL || space->is_own || space == parent ||
		    parent->map == NULL)
			continue;
		parent->map->users++;
		space->map = parent->map;
	}
}

static void learn_start(struct space *space)
{
	release(space->map);
	space->map = NULL;
	space->is_own = true;
	space->is_ended = false;
}

static void learn_exit(struct ptl_modules *modules, pid_t pid)
{
	struct space *space;

	for (space = modules->hash[(unsigned int)pid % SPACES_HASH];
	     space != NULL; space = space->next)
		if (space->pid == pid)
			space->is_ended = true;
}

void ptl_modules_learn(struct ptl_modules *modules, const char *event_name,
		       pid_t pid, unsigned int image,
		       const struct ptl_arg *args, unsigned int nr_args)
{
	const struct ptl_arg *child;

	if (strcmp(event_name, "dl:map") == 0) {
		learn_map(get_space(modules, pid, image), args, nr_args);
	} else if (strcmp(event_name, "process:start") == 0) {
		learn_start(get_space(modules, pid, image));
	} else if (strcmp(event_name, "process:exit") == 0) {
		learn_exit(modules, pid);
	} else if (strcmp(event_name, "process:fork") == 0) {
		child = ptl_decode_find(args, nr_args, "child");
		if (child != NULL && child->type == PTL_ARG_INT)
			learn_fork(modules, get_space(modules, pid, image),
				   (pid_t)child->value);
	}
}

const char *ptl_modules_name(struct ptl_modules *modules, pid_t pid,
			     unsigned int image, uint64_t address)
{
	struct space *space = find_space(modules, pid, image);
	const struct module *module;
	size_t nr;

	if (space == NULL || space->map == NULL)
		return NULL;
	nr = nr_below(space->map, address);
	if (nr == 0)
		return NULL;
	module = &space->map->module[nr - 1];
	if (address >= module->end || module->file == NULL)
		return NULL;
	return ptl_symfile_name(module->file, address - module->base);
}
