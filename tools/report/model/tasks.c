/* SPDX-License-Identifier: MIT */
/*
 * The threads of some logs; see tasks.h.  They are found by their numbers,
 * which the kernel uses again: a place is one number.
 */
#include "tools/report/model/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/hash.h"

struct key {
	const struct ptl_source *source;
	pid_t tid;
	unsigned int pidns;
};

struct ptl_tasks {
	struct ptl_hash by_number;
	uint64_t lives;
	struct key last_key; /* the one found last: most repeat */
	struct ptl_task *last;
};

struct ptl_tasks *ptl_tasks_new(void)
{
	struct ptl_tasks *threads = ptl_alloc(sizeof(*threads));

	threads->by_number.value_size = sizeof(struct ptl_task);
	return threads;
}

void ptl_tasks_free(struct ptl_tasks *threads)
{
	ptl_hash_clear(&threads->by_number);
	free(threads);
}

struct ptl_task *ptl_tasks_get(struct ptl_tasks *threads,
			       const struct ptl_view *view,
			       struct ptl_process *process)
{
	const struct posix_trace_event_info *event = view->event;
	struct ptl_task *thread = threads->last;
	struct key key;

	memset(&key, 0, sizeof(key));
	key.source = view->source;
	key.tid = event->posix_tid_np;
	key.pidns = event->posix_pidns_np;
	if (thread == NULL ||
	    memcmp(&key, &threads->last_key, sizeof(key)) != 0) {
		thread = ptl_hash_get(&threads->by_number, &key, sizeof(key));
		threads->last = thread;
		threads->last_key = key;
	}
	if (thread->process != process ||
	    thread->image != event->posix_image_np) {
		thread->process = process;
		thread->tid = event->posix_tid_np;
		thread->image = event->posix_image_np;
		thread->life = ++threads->lives;
	}
	return thread;
}

struct ptl_task *ptl_tasks_next(struct ptl_tasks *threads,
				struct ptl_task *thread)
{
	return ptl_hash_next(&threads->by_number, thread);
}
