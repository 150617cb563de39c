/* SPDX-License-Identifier: MIT */
/* Paths of calls; see paths.h. */
#include "tools/report/model/paths.h"

#include <stdio.h>
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

struct walk {
	int64_t least;
	unsigned int nr;
	void (*show)(void *to, const struct ptl_path_box *box);
	void *to;
};

static void show_rest(struct walk *walk, const struct ptl_path *path,
		      const struct ptl_path *child, unsigned int number,
		      int64_t at)
{
	int64_t rest = 0;
	size_t nr = 0;
	char name[64];

	for (; child != NULL && child->total > 0; child = child->sibling) {
		rest += child->total;
		nr++;
	}
	if (nr == 0)
		return;
	snprintf(name, sizeof(name), "(%zu narrower)", nr);
	walk->show(walk->to, &(struct ptl_path_box){.name = name,
						    .number = walk->nr++,
						    .parent = number,
						    .depth = path->depth + 1,
						    .total = rest,
						    .self = rest,
						    .of_parent = path->total,
						    .at = at});
}

/* At most PTL_PATHS_DEPTH calls deep. */
static void show_path(struct walk *walk, const struct ptl_path *path,
		      unsigned int parent, int64_t at)
{
	const struct ptl_path *in = path->parent != NULL ? path->parent : path;
	const struct ptl_path *child = path->child;
	unsigned int number = walk->nr++;

	walk->show(walk->to, &(struct ptl_path_box){.name = path->name,
						    .number = number,
						    .parent = parent,
						    .depth = path->depth,
						    .total = path->total,
						    .self = path->self,
						    .of_parent = in->total,
						    .at = at});
	for (; child != NULL && child->total > 0 && child->total >= walk->least;
	     child = child->sibling) {
		show_path(walk, child, number, at);
		at += child->total;
	}
	show_rest(walk, path, child, number, at);
}

void ptl_paths_boxes(const struct ptl_paths *paths, int64_t least,
		     void (*show)(void *to, const struct ptl_path_box *box),
		     void *to)
{
	struct walk walk = {least, 0, show, to};

	show_path(&walk, &paths->root, 0, 0);
}
