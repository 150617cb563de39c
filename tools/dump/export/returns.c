/* SPDX-License-Identifier: MIT */
/* Which functions have returns recorded; see returns.h. */
#include "tools/dump/export/returns.h"

#include <stdlib.h>

#include "tools/lib/say.h"

/*
 * The addresses, whatever the process: the same address in two of them is
 * mostly the same function.
 */
struct log {
	const struct ptl_source *source;
	uint64_t *callee; /* by hash; 0 is a free place */
	size_t nr, room;  /* room is a power of two, twice nr or more */
};

struct ptl_returns {
	struct log *log;
	size_t nr, room;
	struct log *last;
};

struct ptl_returns *ptl_returns_new(void)
{
	return ptl_alloc(sizeof(struct ptl_returns));
}

void ptl_returns_free(struct ptl_returns *returns)
{
	for (size_t i = 0; i < returns->nr; i++)
		free(returns->log[i].callee);
	free(returns->log);
	free(returns);
}

static uint64_t *place(const struct log *log, uint64_t callee)
{
	size_t i = (callee * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

	for (;; i++) {
		uint64_t *found = &log->callee[i & (log->room - 1)];

		if (*found == 0 || *found == callee)
			return found;
	}
}

static void make_room(struct log *log)
{
	struct log old = *log;

	log->room = old.room > 0 ? 2 * old.room : 256;
	log->callee = ptl_alloc(log->room * sizeof(*log->callee));
	for (size_t i = 0; i < old.room; i++)
		if (old.callee[i] != 0)
			*place(log, old.callee[i]) = old.callee[i];
	free(old.callee);
}

static void see(void *to, struct ptl_source *source)
{
	const struct ptl_type *type =
		ptl_source_type(source, source->event.posix_event_id);
	const struct ptl_arg *callee;
	struct log *log = to;
	struct ptl_args args;
	uint64_t *free_place;

	if (type->kind->act != PTL_ACT_LEAVE)
		return;
	ptl_decode(&type->layout, source->data, source->data_size, &args);
	callee = ptl_decode_find(&args, "callee");
	if (callee == NULL || callee->value == 0)
		return;
	if (2 * (log->nr + 1) > log->room)
		make_room(log);
	free_place = place(log, (uint64_t)callee->value);
	log->nr += *free_place == 0;
	*free_place = (uint64_t)callee->value;
}

static struct log *get_log(struct ptl_returns *returns,
			   struct ptl_source *source)
{
	struct log *log = returns->last;

	if (log != NULL && log->source == source)
		return log;
	for (size_t i = 0; i < returns->nr; i++)
		if (returns->log[i].source == source)
			return &returns->log[i];
	returns->log = ptl_grow(returns->log, returns->nr, &returns->room,
				sizeof(*returns->log));
	log = &returns->log[returns->nr++];
	*log = (struct log){.source = source};
	make_room(log);
	ptl_source_survey(source, see, log);
	return log;
}

bool ptl_returns_has(struct ptl_returns *returns, struct ptl_source *source,
		     uint64_t callee)
{
	returns->last = get_log(returns, source);
	return *place(returns->last, callee) != 0;
}
