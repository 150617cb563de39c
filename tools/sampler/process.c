/* SPDX-License-Identifier: MIT */
/* See process.h. */
#include "tools/sampler/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "tools/lib/say.h"
#include "tools/sampler/numbers.h"

#define BUCKETS 1024u
/* Of a process: what is more is read each time. */
#define WORDS_MOST 65536u

static struct ptl_sampled_process *buckets[BUCKETS];

static struct ptl_sampled_process **find(pid_t pid)
{
	struct ptl_sampled_process **at = &buckets[(unsigned int)pid % BUCKETS];

	while (*at != NULL && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

struct ptl_sampled_process *ptl_process_get(pid_t pid)
{
	struct ptl_sampled_process **at = find(pid);

	if (*at == NULL) {
		*at = ptl_alloc(sizeof(**at));
		(*at)->pid = pid;
		(*at)->threads = 1;
	}
	return *at;
}

static void drop(pid_t pid)
{
	struct ptl_sampled_process **at = find(pid), *process = *at;

	if (process == NULL)
		return;
	*at = process->next;
	ptl_made_tell(&process->made, pid, process->image);
	ptl_numbers_forget(pid);
	ptl_hash_clear(&process->words);
	free(process->mapped);
	free(process);
}

/* Is told from the child's begin on. */
static void inherit(struct ptl_sampled_code *mapped, uint64_t when)
{
	mapped->is_told = false;
	mapped->when = when;
}

void ptl_process_fork(pid_t parent, pid_t child, uint64_t when)
{
	const struct ptl_sampled_process *from;
	struct ptl_sampled_process *to;

	/* The number may have been another's, whose end was lost. */
	drop(child);
	to = ptl_process_get(child);
	from = ptl_process_get(parent);
	to->image = from->image;
	to->has_code = from->has_code;
	to->parent = parent;
	to->begun = when;
	memcpy(to->name, from->name, sizeof(to->name));
	to->program = from->program;
	inherit(&to->program, when);
	if (from->nr == 0)
		return;
	to->mapped = ptl_alloc(from->nr * sizeof(*to->mapped));
	memcpy(to->mapped, from->mapped, from->nr * sizeof(*to->mapped));
	to->nr = to->room = from->nr;
	for (size_t i = 0; i < to->nr; i++)
		inherit(&to->mapped[i], when);
}

void ptl_process_exec(struct ptl_sampled_process *process)
{
	ptl_made_tell(&process->made, process->pid, process->image);
	ptl_hash_clear(&process->words);
	process->nr = 0;
	process->has_code = false;
	process->image++;
	/* The others are gone, without a word. */
	process->threads = 1;
	process->program = (struct ptl_sampled_code){0};
}

void ptl_process_thread_ends(struct ptl_sampled_process *process)
{
	if (--process->threads == 0)
		drop(process->pid);
}

void ptl_process_tell_made(void)
{
	for (unsigned int i = 0; i < BUCKETS; i++)
		for (struct ptl_sampled_process *process = buckets[i];
		     process != NULL; process = process->next)
			ptl_made_tell(&process->made, process->pid,
				      process->image);
}

static void insert(struct ptl_sampled_process *process,
		   const struct ptl_sampled_code *mapped)
{
	size_t at = process->nr;

	process->mapped = ptl_grow(process->mapped, process->nr, &process->room,
				   sizeof(*process->mapped));
	for (; at > 0 && process->mapped[at - 1].start > mapped->start; at--)
		process->mapped[at] = process->mapped[at - 1];
	process->mapped[at] = *mapped;
	process->nr++;
}

void ptl_process_map(struct ptl_sampled_process *process,
		     const struct ptl_sampled_code *mapped)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->nr; i++) {
		struct ptl_sampled_code old = process->mapped[i];

		if (old.start < mapped->end && old.end > mapped->start) {
			/* What is behind it is told of again when it matters:
			 * nobody maps into the middle of code. */
			if (old.start >= mapped->start)
				continue;
			old.end = mapped->start;
		}
		process->mapped[kept++] = old;
	}
	process->nr = kept;
	insert(process, mapped);
	if (process->program.image == NULL)
		process->program = *mapped;
}

struct ptl_sampled_code *
ptl_process_at(const struct ptl_sampled_process *process, uint64_t address)
{
	size_t low = 0, high = process->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (process->mapped[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == process->nr || process->mapped[low].start > address)
		return NULL;
	return &process->mapped[low];
}

bool ptl_process_find(void *process, uint64_t pc,
		      struct ptl_foreign_object *object)
{
	const struct ptl_sampled_code *mapped = ptl_process_at(process, pc);

	return mapped != NULL && mapped->image != NULL &&
	       ptl_image_object(mapped->image, mapped->bias, object);
}

/* Of one that has ended, or called exec, nothing can be read, or nothing that
 * makes sense; which is forgotten with its image. */
bool ptl_process_read(void *of, uint64_t addr, uint64_t *value)
{
	struct ptl_sampled_process *process = of;
	struct iovec to = {value, sizeof(*value)};
	struct iovec from = {(void *)(uintptr_t)addr, sizeof(*value)};
	const uint64_t *known;

	process->words.value_size = sizeof(*value);
	known = ptl_hash_find(&process->words, &addr, sizeof(addr));
	if (known != NULL) {
		*value = *known;
		return true;
	}
	if (process_vm_readv(process->pid, &to, 1, &from, 1, 0) !=
	    (ssize_t)sizeof(*value))
		return false;
	if (process->words.nr < WORDS_MOST)
		*(uint64_t *)ptl_hash_get(&process->words, &addr,
					  sizeof(addr)) = *value;
	return true;
}
