/* SPDX-License-Identifier: MIT */
/* Command lines that are longer than an event; see start.h. */
#include "tools/read/start.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "tools/lib/say.h"

/* Of so many processes at once; whose start was lost is forgotten. */
#define FEW 64
/* A process has no more; a damaged log may. */
#define KEPT_MOST (8 << 20)

/* What is known of the data of one process:start, from some byte on. */
struct rest {
	pid_t pid;
	unsigned int pidns;
	uint64_t whole; /* the size of all of its data; 0: this one is free */
	uint64_t from;
	char *data;
	size_t size, room;
};

struct ptl_start_parts {
	struct rest rest[FEW];
	size_t next; /* the one that is forgotten first */
};

static struct rest *rest_of(struct ptl_start_parts *parts,
			    const struct posix_trace_event_info *event)
{
	for (size_t i = 0; i < FEW; i++) {
		struct rest *rest = &parts->rest[i];

		if (rest->whole != 0 && rest->pid == event->posix_pid &&
		    rest->pidns == event->posix_pidns_np)
			return rest;
	}
	return NULL;
}

static struct rest *add(struct ptl_start_parts *parts,
			const struct posix_trace_event_info *event,
			uint64_t whole, uint64_t from)
{
	struct rest *rest = rest_of(parts, event);

	if (rest == NULL)
		rest = &parts->rest[parts->next++ % FEW];
	rest->pid = event->posix_pid;
	rest->pidns = event->posix_pidns_np;
	rest->whole = whole;
	rest->from = from;
	rest->size = 0;
	return rest;
}

static void append(struct rest *rest, const char *data, size_t size)
{
	while (rest->room - rest->size < size)
		rest->data = ptl_grow(rest->data, rest->room, &rest->room, 1);
	memcpy(rest->data + rest->size, data, size);
	rest->size += size;
}

bool ptl_start_keep(struct ptl_start_parts **parts,
		    const struct posix_trace_event_info *event,
		    const char *data, size_t size)
{
	const size_t fixed = 2 * sizeof(int64_t) + 2;
	struct rest *rest;
	int64_t whole, from;

	if (size < fixed)
		return false;
	memcpy(&whole, data, sizeof(whole));
	memcpy(&from, data + sizeof(whole), sizeof(from));
	if (whole > -PTL_START_LEAST || whole == INT64_MIN || from <= 0 ||
	    data[fixed - 2] != '\0' || data[fixed - 1] != '\0')
		return false;
	if (*parts == NULL)
		*parts = ptl_alloc(sizeof(**parts));
	rest = rest_of(*parts, event);
	if (rest == NULL || rest->whole != (uint64_t)-whole ||
	    rest->from + rest->size != (uint64_t)from)
		rest = add(*parts, event, (uint64_t)-whole, (uint64_t)from);
	if (rest->size < KEPT_MOST)
		append(rest, data + fixed, size - fixed);
	return true;
}

const char *ptl_start_rest(struct ptl_start_parts *parts,
			   const struct posix_trace_event_info *event,
			   size_t size, size_t *more, bool *is_all)
{
	struct rest *rest = parts != NULL ? rest_of(parts, event) : NULL;
	uint64_t known;

	if (rest == NULL)
		return NULL;
	known = rest->from + rest->size;
	*is_all = known == rest->whole;
	rest->whole = 0;
	if (event->posix_truncation_status != POSIX_TRACE_TRUNCATED_RECORD ||
	    size < rest->from || size >= known)
		return NULL;
	*more = (size_t)(known - size);
	return rest->data + (size - rest->from);
}

void ptl_start_free(struct ptl_start_parts *parts)
{
	for (size_t i = 0; parts != NULL && i < FEW; i++)
		free(parts->rest[i].data);
	free(parts);
}
