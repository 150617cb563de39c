/* SPDX-License-Identifier: MIT */
/*
 * What descriptors stand for; see descriptors.h.  A child has its parent's
 * table until one of them changes it, and none when it has ended: memory grows
 * with the processes that live at the same time.
 */
#include "tools/model/files/descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/hash.h"

/* Shared by processes until one of them changes it. */
struct table {
	unsigned int users;
	struct ptl_hash by_number; /* struct ptl_descriptor */
};

/* Of a process. */
struct holder {
	struct table *table; /* NULL: nothing is known */
	const char *cwd;
};

struct key {
	uint64_t number, kind;
};

struct ptl_descriptors {
	struct ptl_hash holders;
};

struct ptl_descriptors *ptl_descriptors_new(void)
{
	struct ptl_descriptors *descriptors = ptl_alloc(sizeof(*descriptors));

	descriptors->holders.value_size = sizeof(struct holder);
	return descriptors;
}

static void release(struct table *table)
{
	if (table == NULL || --table->users > 0)
		return;
	ptl_hash_clear(&table->by_number);
	free(table);
}

void ptl_descriptors_free(struct ptl_descriptors *descriptors)
{
	struct holder *holder = NULL;

	while ((holder = ptl_hash_next(&descriptors->holders, holder)) != NULL)
		release(holder->table);
	ptl_hash_clear(&descriptors->holders);
	free(descriptors);
}

static struct holder *get_holder(struct ptl_descriptors *descriptors,
				 const struct ptl_process *process)
{
	return ptl_hash_get(&descriptors->holders, &process, sizeof(process));
}

static struct ptl_descriptor *
get(struct table *table, enum ptl_descriptor_kind kind, uint64_t number)
{
	struct key key = {number, (uint64_t)kind};
	struct ptl_descriptor *descriptor =
		ptl_hash_get(&table->by_number, &key, sizeof(key));

	descriptor->kind = kind;
	descriptor->number = number;
	return descriptor;
}

/* In the order of their first use; NULL before the first, and behind the last.
 */
static struct ptl_descriptor *next(const struct table *table,
				   const struct ptl_descriptor *descriptor)
{
	return table != NULL ? ptl_hash_next(&table->by_number, descriptor) :
			       NULL;
}

/* The table of a process as one that can be changed, and has what it needs. */
static struct table *own_table(struct holder *holder)
{
	struct table *old = holder->table, *table;
	const struct ptl_descriptor *descriptor = NULL;

	if (old != NULL && old->users == 1)
		return old;
	table = ptl_alloc(sizeof(*table));
	table->users = 1;
	table->by_number.value_size = sizeof(struct ptl_descriptor);
	while ((descriptor = next(old, descriptor)) != NULL)
		if (descriptor->file != NULL || descriptor->last != NULL)
			*get(table, descriptor->kind, descriptor->number) =
				*descriptor;
	release(old);
	return holder->table = table;
}

struct ptl_descriptor *ptl_descriptors_get(struct ptl_descriptors *descriptors,
					   const struct ptl_process *process,
					   enum ptl_descriptor_kind kind,
					   uint64_t number)
{
	return get(own_table(get_holder(descriptors, process)), kind, number);
}

static void forget(struct ptl_descriptor *descriptor)
{
	descriptor->is_own = true;
	if (descriptor->file != NULL)
		descriptor->last = descriptor->file;
	descriptor->file = NULL;
	descriptor->is_cloexec = descriptor->has_fd = false;
}

void ptl_descriptors_close(struct ptl_descriptors *descriptors,
			   const struct ptl_process *process,
			   enum ptl_descriptor_kind kind, uint64_t number)
{
	struct ptl_descriptor *descriptor =
		ptl_descriptors_get(descriptors, process, kind, number);
	bool has_fd = descriptor->has_fd;
	uint64_t fd = descriptor->fd;

	forget(descriptor);
	if (has_fd)
		forget(ptl_descriptors_get(descriptors, process,
					   PTL_DESCRIPTOR_FD, fd));
}

void ptl_descriptors_close_range(struct ptl_descriptors *descriptors,
				 const struct ptl_process *process,
				 uint64_t first, uint64_t last,
				 bool is_only_marked)
{
	struct table *table = own_table(get_holder(descriptors, process));
	struct ptl_descriptor *descriptor = NULL;

	while ((descriptor = next(table, descriptor)) != NULL) {
		if (descriptor->kind != PTL_DESCRIPTOR_FD ||
		    descriptor->number < first || descriptor->number > last)
			continue;
		if (is_only_marked)
			descriptor->is_cloexec = true;
		else
			forget(descriptor);
	}
}

/* The child has had events before its parent told of it. */
static void merge(struct table *to, const struct table *from,
		  void (*same)(void *of, struct ptl_file *unknown,
			       struct ptl_file *file, uint64_t number),
		  void *of)
{
	const struct ptl_descriptor *descriptor = NULL;

	while ((descriptor = next(from, descriptor)) != NULL) {
		struct ptl_descriptor *copy =
			get(to, descriptor->kind, descriptor->number);
		struct ptl_file *file = descriptor->file != NULL ?
						descriptor->file :
						descriptor->last;

		if (copy->is_own)
			continue;
		if (copy->file != NULL)
			same(of, copy->file, file, descriptor->number);
		copy->file = file;
		copy->is_cloexec = descriptor->is_cloexec;
	}
}

/*
 * A child reports its fork when it has its first event: what the parent has
 * closed since, the child may have.
 */
static bool has_closed(const struct table *table)
{
	const struct ptl_descriptor *descriptor = NULL;

	while ((descriptor = next(table, descriptor)) != NULL)
		if (descriptor->file == NULL && descriptor->last != NULL)
			return true;
	return false;
}

void ptl_descriptors_inherit(struct ptl_descriptors *descriptors,
			     const struct ptl_process *parent,
			     const struct ptl_process *child,
			     void (*same)(void *of, struct ptl_file *unknown,
					  struct ptl_file *file,
					  uint64_t number),
			     void *of)
{
	struct holder *from = get_holder(descriptors, parent);
	struct holder *to = get_holder(descriptors, child);

	if (to->cwd == NULL)
		to->cwd = from->cwd;
	if (from->table == NULL)
		return;
	if (to->table != NULL || has_closed(from->table)) {
		merge(own_table(to), from->table, same, of);
		return;
	}
	to->table = from->table;
	to->table->users++;
}

void ptl_descriptors_exec(struct ptl_descriptors *descriptors,
			  const struct ptl_process *process, const char *cwd)
{
	struct holder *holder = get_holder(descriptors, process);
	struct table *table = own_table(holder), *old = table;
	struct ptl_descriptor *descriptor = NULL;

	if (cwd != NULL)
		holder->cwd = cwd;
	holder->table = NULL;
	table = own_table(holder);
	while ((descriptor = next(old, descriptor)) != NULL)
		if (!descriptor->is_cloexec && descriptor->file != NULL &&
		    descriptor->kind == PTL_DESCRIPTOR_FD)
			*get(table, descriptor->kind, descriptor->number) =
				*descriptor;
	release(old);
}

void ptl_descriptors_end(struct ptl_descriptors *descriptors,
			 const struct ptl_process *process)
{
	struct holder *holder = get_holder(descriptors, process);

	release(holder->table);
	holder->table = NULL;
}

void ptl_descriptors_set(struct ptl_descriptors *descriptors,
			 const struct ptl_process *process,
			 enum ptl_descriptor_kind kind, uint64_t number,
			 struct ptl_file *file, bool is_cloexec)
{
	struct ptl_descriptor *descriptor =
		ptl_descriptors_get(descriptors, process, kind, number);

	descriptor->file = file;
	descriptor->is_cloexec = is_cloexec;
	descriptor->has_fd = false;
	descriptor->is_own = true;
}

const char *ptl_descriptors_cwd(struct ptl_descriptors *descriptors,
				const struct ptl_process *process)
{
	return get_holder(descriptors, process)->cwd;
}

void ptl_descriptors_chdir(struct ptl_descriptors *descriptors,
			   const struct ptl_process *process, const char *cwd)
{
	get_holder(descriptors, process)->cwd = cwd;
}
