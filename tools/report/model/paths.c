/* SPDX-License-Identifier: MIT */
/* Paths of calls; see paths.h. */
#include "tools/report/model/paths.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

void ptl_paths_begin(struct ptl_paths *paths)
{
	memset(paths, 0, sizeof(*paths));
	paths->map.value_size = sizeof(struct ptl_path);
	paths->root.name = "all";
}

void ptl_paths_free(struct ptl_paths *paths)
{
	ptl_hash_clear(&paths->map);
}

struct ptl_path *ptl_paths_get(struct ptl_paths *paths, struct ptl_path *parent,
			       const char *name)
{
	const void *key[] = {parent, name};
	struct ptl_path *path;

	if (parent->is_rest || (paths->folds && name == parent->name &&
				!parent->is_program && !parent->is_host))
		return parent;
	if (parent->depth == PTL_PATHS_DEPTH - 1) {
		paths->is_deeper = true;
		key[1] = ptl_intern("[deeper]", 8);
	}
	path = ptl_hash_find(&paths->map, key, sizeof(key));
	if (path != NULL)
		return path;
	if (paths->map.nr >= PTL_PATHS_MAX) {
		paths->is_full = true;
		key[1] = ptl_intern("[more]", 6);
	}
	path = ptl_hash_get(&paths->map, key, sizeof(key));
	if (path->parent != NULL)
		return path;
	path->name = key[1];
	path->is_rest = key[1] != name;
	path->parent = parent;
	path->depth = parent->depth + 1;
	path->sibling = parent->child;
	parent->child = path;
	return path;
}

static int compare_paths(const void *left, const void *right)
{
	const struct ptl_path *a = *(struct ptl_path *const *)left;
	const struct ptl_path *b = *(struct ptl_path *const *)right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void sort_children(struct ptl_path *path)
{
	struct ptl_path **sorted, **end = &path->child;
	size_t nr = 0, i = 0;

	for (const struct ptl_path *child = path->child; child != NULL;
	     child = child->sibling)
		nr++;
	if (nr < 2)
		return;
	sorted = ptl_alloc(nr * sizeof(struct ptl_path *));
	for (struct ptl_path *child = path->child; child != NULL;
	     child = child->sibling)
		sorted[i++] = child;
	qsort(sorted, nr, sizeof(struct ptl_path *), compare_paths);
	for (i = 0; i < nr; i++) {
		*end = sorted[i];
		end = &sorted[i]->sibling;
	}
	*end = NULL;
	free(sorted);
}

/* At most PTL_PATHS_DEPTH calls deep. */
static void sum_up(struct ptl_path *path)
{
	path->total = path->self;
	for (struct ptl_path *child = path->child; child != NULL;
	     child = child->sibling) {
		sum_up(child);
		path->total += child->total;
	}
	sort_children(path);
}

void ptl_paths_end(struct ptl_paths *paths)
{
	sum_up(&paths->root);
}
