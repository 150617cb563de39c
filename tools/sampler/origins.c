/* SPDX-License-Identifier: MIT */
/* See origins.h. */
#include "tools/sampler/origins.h"

#include <stdlib.h>

#include "tools/lib/say.h"

#define BUCKETS 1024u

/* An event, and who it was opened for; or a thread, and whose events count. */
struct origin {
	uint64_t key;
	pid_t tid;
	struct origin *next;
};

static struct origin *events[BUCKETS], *threads[BUCKETS], *pages[BUCKETS];

static struct origin **find(struct origin **table, uint64_t key)
{
	struct origin **at = &table[key % BUCKETS];

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	return at;
}

static void set(struct origin **table, uint64_t key, pid_t tid)
{
	struct origin **at = find(table, key);

	if (*at == NULL) {
		*at = ptl_alloc(sizeof(**at));
		(*at)->key = key;
	}
	(*at)->tid = tid;
}

void ptl_origins_own(pid_t tid, uint64_t id)
{
	set(events, id, tid);
	set(threads, (uint64_t)tid, tid);
}

bool ptl_origins_is_own(pid_t tid)
{
	const struct origin *thread = *find(threads, (uint64_t)tid);

	return thread != NULL && thread->tid == tid;
}

bool ptl_origins_is_double(pid_t tid, uint64_t id)
{
	const struct origin *event = *find(events, id);
	const struct origin *thread = *find(threads, (uint64_t)tid);

	if (event == NULL)
		return false;
	/* The first one that is seen of it. */
	if (thread == NULL)
		set(threads, (uint64_t)tid, event->tid);
	return thread != NULL && thread->tid != event->tid;
}

void ptl_origins_page(uint64_t id)
{
	set(pages, id, 0);
}

bool ptl_origins_is_page(uint64_t id)
{
	return *find(pages, id) != NULL;
}

void ptl_origins_fork(pid_t parent, pid_t child)
{
	const struct origin *thread = *find(threads, (uint64_t)parent);

	if (thread != NULL && !ptl_origins_is_own(child))
		set(threads, (uint64_t)child, thread->tid);
}

void ptl_origins_end(pid_t tid)
{
	struct origin **at = find(threads, (uint64_t)tid), *thread = *at;

	if (thread == NULL)
		return;
	*at = thread->next;
	free(thread);
}
