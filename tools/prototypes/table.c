/* SPDX-License-Identifier: MIT */
/* Functions and names of types, by name; see table.h. */
#include "tools/prototypes/table.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

struct row {
	char *name;
	char *code; /* NULL: of a type */
	void *type;
};

struct set {
	void *tree;
	struct row **entry;
	size_t nr, room;
};

struct ptl_prototypes {
	struct set functions, types;
};

struct ptl_prototypes *ptl_prototypes_new(void)
{
	return ptl_alloc(sizeof(struct ptl_prototypes));
}

static int by_name(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void free_set(struct set *set)
{
	for (size_t i = 0; i < set->nr; i++) {
		tdelete(set->entry[i], &set->tree, by_name);
		free(set->entry[i]->name);
		free(set->entry[i]->code);
		free(set->entry[i]);
	}
	free(set->entry);
}

void ptl_prototypes_free(struct ptl_prototypes *table)
{
	free_set(&table->functions);
	free_set(&table->types);
	free(table);
}

static char *copy_text(const char *text, size_t size)
{
	char *copy = ptl_alloc(size + 1);

	memcpy(copy, text, size);
	return copy;
}

/* The entry of that name; made if it is not there, if `make', else NULL. */
static struct row *get(struct set *set, const char *name, size_t size,
		       bool make, bool *is_new)
{
	struct row key = {.name = copy_text(name, size)}, *entry;
	void *found = tfind(&key, &set->tree, by_name);

	*is_new = found == NULL;
	if (found != NULL || !make) {
		free(key.name);
		return found != NULL ? *(struct row **)found : NULL;
	}
	entry = ptl_alloc(sizeof(*entry));
	*entry = key;
	if (tsearch(entry, &set->tree, by_name) == NULL) {
		ptl_say("out of memory");
		exit(1);
	}
	set->entry =
		ptl_grow(set->entry, set->nr, &set->room, sizeof(struct row *));
	set->entry[set->nr++] = entry;
	return entry;
}

bool ptl_prototypes_add(struct ptl_prototypes *table, const char *name,
			size_t size, const char *code, bool replace)
{
	bool is_new;
	struct row *entry = get(&table->functions, name, size, true, &is_new);

	if (is_new || replace) {
		free(entry->code);
		entry->code = copy_text(code, strlen(code));
	}
	return is_new;
}

void ptl_prototypes_add_type(struct ptl_prototypes *table, const char *name,
			     size_t size, void *type)
{
	bool is_new;

	get(&table->types, name, size, true, &is_new)->type = type;
}

void *ptl_prototypes_find_type(struct ptl_prototypes *table, const char *name,
			       size_t size)
{
	bool is_new;
	struct row *entry = get(&table->types, name, size, false, &is_new);

	return entry != NULL ? entry->type : NULL;
}

static int by_entry(const void *a, const void *b)
{
	return by_name(*(struct row *const *)a, *(struct row *const *)b);
}

void ptl_prototypes_each(struct ptl_prototypes *table, bool types,
			 void (*fn)(const char *name, const char *code,
				    void *type, void *arg),
			 void *arg)
{
	struct set *set = types ? &table->types : &table->functions;

	if (set->nr > 0)
		qsort(set->entry, set->nr, sizeof(struct row *), by_entry);
	for (size_t i = 0; i < set->nr; i++)
		fn(set->entry[i]->name, set->entry[i]->code,
		   set->entry[i]->type, arg);
}
