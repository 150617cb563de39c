/* SPDX-License-Identifier: MIT */
/* See recent.h. */
#include "tools/trigger/recent.h"

#include <string.h>

#include "tools/lib/clock.h"

/* An event can be a ns later in the next copy, since times are reckoned by the
 * clock function of then; to record another one takes longer. */
#define SLACK_NS 15

struct key {
	trace_event_id_t type;
	pid_t pid, tid;
	unsigned int pidns;
};

uint64_t ptl_recent_end(const struct ptl_source *source)
{
	uint64_t begin = ptl_ns(&source->event.posix_timestamp);

	return source->duration > 0 ? begin + (uint64_t)source->duration :
				      begin;
}

bool ptl_recent_learn(struct ptl_recent *recent,
		      const struct ptl_source *source)
{
	const struct posix_trace_event_info *event = &source->event;
	struct ptl_hash *copy = &recent->copy[recent->at];
	const struct ptl_hash *other = &recent->copy[!recent->at];
	uint64_t *newest, *before, end = ptl_recent_end(source);
	struct key key;

	memset(&key, 0, sizeof(key));
	key.type = event->posix_event_id;
	key.pid = event->posix_pid;
	key.tid = event->posix_tid_np;
	key.pidns = event->posix_pidns_np;
	copy->value_size = sizeof(*newest);
	newest = ptl_hash_get(copy, &key, sizeof(key));
	if (end > *newest)
		*newest = end;
	before = ptl_hash_find(other, &key, sizeof(key));
	return before == NULL || end > *before + SLACK_NS;
}

void ptl_recent_next(struct ptl_recent *recent)
{
	recent->at = !recent->at;
	ptl_hash_clear(&recent->copy[recent->at]);
}
