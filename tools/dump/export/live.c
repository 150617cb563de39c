/* SPDX-License-Identifier: MIT */
/* Memory from malloc(); see live.h. */
#include "tools/dump/export/live.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/blocks.h"

struct ptl_live {
	uint64_t bytes;
	struct ptl_blocks blocks;
};

void ptl_live_free(struct ptl_live *live)
{
	if (live != NULL)
		ptl_blocks_free(&live->blocks);
	free(live);
}

static void drop(struct ptl_live *live, uint64_t address)
{
	struct ptl_block *block = ptl_blocks_find(&live->blocks, address);

	if (block == NULL)
		return;
	live->bytes -= (uint64_t)block->size;
	ptl_blocks_take(&live->blocks, block);
}

static void keep(struct ptl_live *live, uint64_t address, uint64_t size)
{
	const struct ptl_block block = {
		.address = address,
		.size = (int64_t)size,
	};

	if (address == 0)
		return;
	drop(live, address); /* its free was not recorded */
	ptl_blocks_put(&live->blocks, &block);
	live->bytes += size;
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
