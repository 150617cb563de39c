/* SPDX-License-Identifier: MIT */
/* What descriptors stand for; see descriptors.h. */
#include "tools/report/descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/map.h"

/* Of a process. */
struct holder {
	struct ptl_descriptor *first;
	const char *cwd;
};

struct ptl_descriptors {
	struct ptl_map holders;
	struct ptl_map by_number; /* struct ptl_descriptor */
};

struct ptl_descriptors *ptl_descriptors_new(void)
{
	struct ptl_descriptors *descriptors = ptl_alloc(sizeof(*descriptors));

	descriptors->holders.value_size = sizeof(struct holder);
	descriptors->by_number.value_size = sizeof(struct ptl_descriptor);
	return descriptors;
}

void ptl_descriptors_free(struct ptl_descriptors *descriptors)
{
	ptl_map_clear(&descriptors->holders);
	ptl_map_clear(&descriptors->by_number);
	free(descriptors);
}

static struct holder *get_holder(struct ptl_descriptors *descriptors,
				 const struct ptl_process *process)
{
	return ptl_map_get(&descriptors->holders, &process, sizeof(process));
}

struct ptl_descriptor *ptl_descriptors_get(struct ptl_descriptors *descriptors,
					   const struct ptl_process *process,
					   enum ptl_descriptor_kind kind,
					   uint64_t number)
{
	struct {
		const struct ptl_process *process;
		uint64_t number, kind;
	} key = {process, number, (uint64_t)kind};
	size_t before = descriptors->by_number.nr;
	struct ptl_descriptor *descriptor =
		ptl_map_get(&descriptors->by_number, &key, sizeof(key));
	struct holder *holder;

	if (descriptors->by_number.nr == before)
		return descriptor;
	holder = get_holder(descriptors, process);
	descriptor->kind = kind;
	descriptor->number = number;
	descriptor->next = holder->first;
	holder->first = descriptor;
	return descriptor;
}

static void forget(struct ptl_descriptor *descriptor)
{
	descriptor->is_own = true;
	if (descriptor->file != NULL)
		descriptor->last = descriptor->file;
	descriptor->file = NULL;
	descriptor->is_cloexec = false;
}

void ptl_descriptors_close(struct ptl_descriptors *descriptors,
			   const struct ptl_process *process,
			   enum ptl_descriptor_kind kind, uint64_t number)
{
	struct ptl_descriptor *descriptor =
		ptl_descriptors_get(descriptors, process, kind, number);
	struct ptl_file *file = descriptor->file;

	forget(descriptor);
	if (kind != PTL_DESCRIPTOR_STREAM)
		return;
	/* What the stream had is not known, but by its file. */
	for (descriptor = get_holder(descriptors, process)->first;
	     descriptor != NULL; descriptor = descriptor->next)
		if (descriptor->file == file && file != NULL &&
		    descriptor->kind == PTL_DESCRIPTOR_FD)
			break;
	if (descriptor != NULL && descriptor->number > 2)
		forget(descriptor);
}

void ptl_descriptors_close_range(struct ptl_descriptors *descriptors,
				 const struct ptl_process *process,
				 uint64_t first, uint64_t last,
				 bool is_only_marked)
{
	struct ptl_descriptor *descriptor;

	for (descriptor = get_holder(descriptors, process)->first;
	     descriptor != NULL; descriptor = descriptor->next) {
		if (descriptor->kind != PTL_DESCRIPTOR_FD ||
		    descriptor->number < first || descriptor->number > last)
			continue;
		if (is_only_marked)
			descriptor->is_cloexec = true;
		else
			forget(descriptor);
	}
}

void ptl_descriptors_inherit(struct ptl_descriptors *descriptors,
			     const struct ptl_process *parent,
			     const struct ptl_process *child,
			     void (*same)(void *of, struct ptl_file *unknown,
					  struct ptl_file *file,
					  uint64_t number),
			     void *of)
{
	const struct holder *from = get_holder(descriptors, parent);
	struct holder *to = get_holder(descriptors, child);
	const struct ptl_descriptor *descriptor;

	if (to->cwd == NULL)
		to->cwd = from->cwd;
	for (descriptor = from->first; descriptor != NULL;
	     descriptor = descriptor->next) {
		struct ptl_descriptor *copy = ptl_descriptors_get(
			descriptors, child, descriptor->kind,
			descriptor->number);

		/*
		 * A child reports its fork when it has its first event: what
		 * the parent has closed since the child may have.
		 */
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

void ptl_descriptors_exec(struct ptl_descriptors *descriptors,
			  const struct ptl_process *process, const char *cwd)
{
	struct holder *holder = get_holder(descriptors, process);
	struct ptl_descriptor *descriptor;

	if (cwd != NULL)
		holder->cwd = cwd;
	for (descriptor = holder->first; descriptor != NULL;
	     descriptor = descriptor->next)
		if (descriptor->is_cloexec ||
		    descriptor->kind == PTL_DESCRIPTOR_STREAM)
			forget(descriptor);
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
