/* SPDX-License-Identifier: MIT */
/*
 * The threads of some logs; see threads.h.  They are found by their numbers,
 * which the kernel uses again: a place is one number.
 */
#include "tools/model/threads.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/hash.h"

struct key {
	struct ptl_source *source;
	pid_t tid;
	unsigned int pidns;
};

struct ptl_threads {
	struct ptl_hash by_number;
	uint64_t lives;
};

struct ptl_threads *ptl_threads_new(void)
{
	struct ptl_threads *threads = ptl_alloc(sizeof(*threads));

	threads->by_number.value_size = sizeof(struct ptl_thread);
	return threads;
}

void ptl_threads_free(struct ptl_threads *threads)
{
	ptl_hash_clear(&threads->by_number);
	free(threads);
}

/* ptrace-sampler counts what a process executes by what the kernel says; the
 * library does not count the programs of those who made a process by vfork. */
static bool is_told_of(const struct ptl_view *view)
{
	enum ptl_family family = view->type->kind->family;

	return family == PTL_FAMILY_CPU || family == PTL_FAMILY_SCHED;
}

/* The place of that number, where there may have been nobody so far. */
static struct ptl_thread *find_place(struct ptl_threads *threads,
				     struct ptl_source *source, pid_t tid,
				     unsigned int pidns)
{
	struct ptl_thread *last = source->thread;
	struct key key;

	/* Most repeat. */
	if (last != NULL && last->tid == tid && last->pidns == pidns)
		return last;
	/* Also between its members. */
	memset(&key, 0, sizeof(key));
	key.source = source;
	key.tid = tid;
	key.pidns = pidns;
	return source->thread =
		       ptl_hash_get(&threads->by_number, &key, sizeof(key));
}

static struct ptl_thread *get_thread(struct ptl_threads *threads,
				     const struct ptl_view *view, pid_t tid,
				     struct ptl_process *process)
{
	const struct posix_trace_event_info *event = view->event;
	struct ptl_thread *thread =
		find_place(threads, view->source, tid, event->posix_pidns_np);

	if (thread->source == NULL || thread->process != process ||
	    (thread->image != event->posix_image_np && !is_told_of(view))) {
		thread->process = process;
		thread->source = view->source;
		thread->tid = tid;
		thread->pidns = event->posix_pidns_np;
		thread->image = event->posix_image_np;
		thread->name = NULL;
		thread->life = ++threads->lives;
	}
	return thread;
}

struct ptl_thread *ptl_threads_get(struct ptl_threads *threads,
				   const struct ptl_view *view,
				   struct ptl_process *process)
{
	return get_thread(threads, view, view->event->posix_tid_np, process);
}

struct ptl_thread *ptl_threads_learn_name(struct ptl_threads *threads,
					  const struct ptl_view *view,
					  struct ptl_process *process)
{
	const struct ptl_arg *tid = ptl_decode_find(&view->args, "tid");
	const struct ptl_arg *name = ptl_decode_find(&view->args, "name");
	struct ptl_thread *thread;

	if (tid == NULL || tid->value <= 0 || name == NULL ||
	    name->bytes == NULL)
		return NULL;
	thread = get_thread(threads, view, (pid_t)tid->value, process);
	thread->name = ptl_intern(name->bytes, name->size);
	return thread;
}

struct ptl_thread *ptl_threads_next(struct ptl_threads *threads,
				    struct ptl_thread *thread)
{
	return ptl_hash_next(&threads->by_number, thread);
}
