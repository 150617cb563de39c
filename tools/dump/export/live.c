/* SPDX-License-Identifier: MIT */
/* Memory from malloc(); see live.h. */
#include "tools/dump/export/live.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

struct block {
	uint64_t address; /* 0: the place is free */
	uint64_t size;
};

struct ptl_live {
	uint64_t bytes;
	struct block *block; /* by hash; probed linearly */
	size_t nr, room;     /* room is a power of two, twice nr or more */
};

void ptl_live_free(struct ptl_live *live)
{
	if (live != NULL)
		free(live->block);
	free(live);
}

static size_t home(const struct ptl_live *live, uint64_t address)
{
	return (address * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
	       (live->room - 1);
}

static struct block *place(const struct ptl_live *live, uint64_t address)
{
	for (size_t i = home(live, address);; i = (i + 1) & (live->room - 1))
		if (live->block[i].address == 0 ||
		    live->block[i].address == address)
			return &live->block[i];
}

static void make_room(struct ptl_live *live)
{
	struct block *old = live->block;
	size_t old_room = live->room;

	live->room = old_room > 0 ? 2 * old_room : 256;
	live->block = ptl_alloc(live->room * sizeof(*live->block));
	for (size_t i = 0; i < old_room; i++)
		if (old[i].address != 0)
			*place(live, old[i].address) = old[i];
	free(old);
}

static void drop(struct ptl_live *live, uint64_t address)
{
	struct block *block = live->room > 0 ? place(live, address) : NULL;
	size_t hole, at;

	if (block == NULL || block->address == 0)
		return;
	live->bytes -= block->size;
	live->nr--;
	/* Those behind that would no longer be found move into the hole. */
	hole = at = (size_t)(block - live->block);
	live->block[hole].address = 0;
	while (at = (at + 1) & (live->room - 1), live->block[at].address != 0) {
		size_t mask = live->room - 1;
		size_t from = home(live, live->block[at].address);

		if (((at - from) & mask) < ((at - hole) & mask))
			continue;
		live->block[hole] = live->block[at];
		live->block[at].address = 0;
		hole = at;
	}
}

static void keep(struct ptl_live *live, uint64_t address, uint64_t size)
{
	if (address == 0)
		return;
	drop(live, address); /* its free was not recorded */
	if (2 * (live->nr + 1) > live->room)
		make_room(live);
	*place(live, address) = (struct block){address, size};
	live->bytes += size;
	live->nr++;
}

static uint64_t number(const struct ptl_args *args, const char *name)
{
	const struct ptl_arg *arg = ptl_decode_find(args, name);

	return arg != NULL ? (uint64_t)arg->value : 0;
}

/* The name is what is behind "mem:". */
static void take(struct ptl_live *live, const char *name,
		 const struct ptl_args *args)
{
	uint64_t ret = number(args, "ret"), size = number(args, "size");

	if (strcmp(name, "free") == 0) {
		drop(live, number(args, "ptr"));
	} else if (strcmp(name, "malloc") == 0 ||
		   strcmp(name, "aligned") == 0) {
		keep(live, ret, size);
	} else if (strcmp(name, "calloc") == 0) {
		keep(live, ret, size * number(args, "count"));
	} else if (strcmp(name, "realloc") == 0 && (ret != 0 || size == 0)) {
		drop(live, number(args, "ptr"));
		keep(live, ret, size);
	}
}

bool ptl_live_take(struct ptl_live **live, const struct ptl_view *view,
		   uint64_t *bytes)
{
	const struct ptl_type *type = view->type;
	uint64_t before = *live != NULL ? (*live)->bytes : 0;

	if (type->kind->act == PTL_ACT_START ||
	    type->kind->act == PTL_ACT_EXIT) {
		ptl_live_free(*live);
		*live = NULL;
	} else if (type->is_system && strncmp(type->name, "mem:", 4) == 0) {
		if (*live == NULL)
			*live = ptl_alloc(sizeof(**live));
		take(*live, type->name + 4, &view->args);
	}
	*bytes = *live != NULL ? (*live)->bytes : 0;
	return *bytes != before;
}
