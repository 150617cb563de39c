/* SPDX-License-Identifier: MIT */
/* Events that were read before their turn; see ahead.h. */
#include "tools/read/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* None is put behind so many bytes: there are thousands of logs. */
#define ENOUGH 2048

static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

void *ptl_early_stack(struct ptl_early *early)
{
	return ptl_early_data(early) + padded(early->data_size);
}

static size_t size_of(size_t data_size, size_t nr_stack)
{
	return sizeof(struct ptl_early) + padded(data_size) +
	       nr_stack * sizeof(void *);
}

bool ptl_ahead_is_full(const struct ptl_read_ahead *ahead)
{
	return ahead->end >= ENOUGH;
}

static void make_room(struct ptl_read_ahead *ahead, size_t need)
{
	size_t room = need < ENOUGH ? ENOUGH : need;
	char *bytes = ptl_alloc(room);

	if (ahead->end > 0)
		memcpy(bytes, ahead->bytes, ahead->end);
	free(ahead->bytes);
	ahead->bytes = bytes;
	ahead->room = room;
}

void ptl_ahead_put(struct ptl_read_ahead *ahead, const struct ptl_next *next)
{
	size_t size = size_of(next->data_size, next->nr_stack);
	struct ptl_early *early;

	if (ahead->room - ahead->end < size)
		make_room(ahead, ahead->end + size);
	early = (struct ptl_early *)(void *)(ahead->bytes + ahead->end);
	early->event = next->event;
	early->type = next->type;
	early->duration = next->duration;
	early->data_size = (unsigned int)next->data_size;
	early->nr_stack = (unsigned int)next->nr_stack;
	memcpy(ptl_early_data(early), next->data, next->data_size);
	if (next->nr_stack > 0)
		memcpy(ptl_early_stack(early), next->stack,
		       next->nr_stack * sizeof(*next->stack));
	ahead->end += size;
}

static struct ptl_early *early_at(const struct ptl_read_ahead *ahead, size_t at)
{
	return at == ahead->end ?
		       NULL :
		       (struct ptl_early *)(void *)(ahead->bytes + at);
}

struct ptl_early *ptl_ahead_take(struct ptl_read_ahead *ahead)
{
	struct ptl_early *early = early_at(ahead, ahead->at);

	if (early != NULL)
		ahead->at += size_of(early->data_size, early->nr_stack);
	return early;
}

struct ptl_early *ptl_ahead_after(const struct ptl_read_ahead *ahead,
				  struct ptl_early *early)
{
	size_t at = ahead->at;

	if (early != NULL)
		at = (size_t)((char *)early - ahead->bytes) +
		     size_of(early->data_size, early->nr_stack);
	return early_at(ahead, at);
}

void ptl_ahead_clear(struct ptl_read_ahead *ahead)
{
	ahead->at = ahead->end = 0;
	/* The room that one large event took is not early for small ones. */
	if (ahead->room > 2 * ENOUGH)
		ptl_ahead_free(ahead);
}

void ptl_ahead_free(struct ptl_read_ahead *ahead)
{
	free(ahead->bytes);
	*ahead = (struct ptl_read_ahead){0};
}
