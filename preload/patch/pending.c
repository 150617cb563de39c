/* SPDX-License-Identifier: MIT */
/* See pending.h.  All of it is under the loader's lock. */
#include "preload/patch/pending.h"

#include "core/sys/syscall.h"

#include "preload/patch/jump.h"

#include <string.h>

#define BATCHES 512

static struct ptl_pending_batch batches[BATCHES] PTL_BULK;
static uint64_t nr_batches;

/* In its memory what is told is behind the patches. */
static size_t size_of(uint64_t nr, uint64_t told_size)
{
	return nr * sizeof(struct ptl_pending) + told_size;
}

void ptl_pending_begin(void)
{
	for (uint64_t i = 0; i < nr_batches; i++)
		ptl_sys_munmap((void *)batches[i].pending,
			       size_of(batches[i].nr, batches[i].told_size));
	nr_batches = 0;
}

const struct ptl_pending_batch *ptl_pending_all(uint64_t *nr)
{
	*nr = nr_batches;
	return batches;
}

/* A batch more, without patches; NULL: there is no room. */
static struct ptl_pending *make(uint64_t nr, const char *told,
				uint64_t told_size)
{
	struct ptl_pending *pending;

	if (nr_batches == BATCHES)
		return NULL;
	pending = ptl_sys_mmap(NULL, size_of(nr, told_size),
			       PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pending == MAP_FAILED)
		return NULL;
	memcpy(pending + nr, told, told_size);
	batches[nr_batches++] = (struct ptl_pending_batch){
		.pending = (uintptr_t)pending,
		.nr = nr,
		.told = (uintptr_t)(pending + nr),
		.told_size = told_size,
	};
	return pending;
}

/* The patch that is written there; NONE: there is none. */
static uint32_t find(const struct ptl_patch_view *block, uint64_t at)
{
	uint64_t low = 0, high = block->head.nr_patches;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (block->patch[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < block->head.nr_patches && block->patch[low].at == at ?
		       (uint32_t)low :
		       PTL_PENDING_NONE;
}

/* The one whose moved instructions the island is among; there is none if it is
 * on padding. */
static uint32_t find_lender(const struct ptl_patch_view *block, uint32_t island)
{
	uint64_t at = block->patch[island].at;

	for (uint32_t i = island; i-- > 0;) {
		const struct ptl_patch *patch = &block->patch[i];

		if (patch->at + UINT8_MAX < at)
			break;
		if (patch->at + patch->was > at)
			return i;
	}
	return PTL_PENDING_NONE;
}

static void note_islands(const struct ptl_patch_view *block,
			 struct ptl_pending *pending)
{
	for (uint64_t i = 0; i < block->head.nr_patches; i++) {
		const struct ptl_patch *patch = &block->patch[i];
		uint32_t island;

		if (patch->size != PTL_PATCH_SHORT)
			continue;
		island =
			find(block, patch->at + PTL_PATCH_SHORT +
					    (uint64_t)(int64_t)patch->distance);
		pending[i].kind = PTL_PENDING_SHORT;
		pending[i].behind = island;
		if (island == PTL_PENDING_NONE)
			continue;
		pending[island].kind = PTL_PENDING_ISLAND;
		pending[island].behind = find_lender(block, island);
	}
}

const char *ptl_pending_add(const struct ptl_patch_view *block,
			    const struct dl_phdr_info *info,
			    const struct ptl_arena *arena)
{
	uint64_t nr = block->head.nr_patches;
	struct ptl_pending *pending =
		make(nr, block->told, block->head.told_size);

	if (!pending)
		return "no memory";
	for (uint64_t i = 0; i < nr; i++) {
		const struct ptl_patch *patch = &block->patch[i];
		uintptr_t at = info->dlpi_addr + patch->at;

		pending[i].at = at;
		pending[i].size = patch->size;
		pending[i].behind = PTL_PENDING_NONE;
		memcpy(pending[i].was, (const void *)at, patch->size);
		ptl_jump_make(patch, at, arena->begin, pending[i].bytes);
	}
	note_islands(block, pending);
	return NULL;
}

bool ptl_pending_add_loader(const unsigned char *at,
			    const unsigned char jump[PTL_PATCH_LONG])
{
	struct ptl_pending *pending = make(1, "", 0);

	if (!pending)
		return false;
	*pending = (struct ptl_pending){
		.at = (uintptr_t)at,
		.size = PTL_PATCH_LONG,
		.kind = PTL_PENDING_LOADER,
		.behind = PTL_PENDING_NONE,
	};
	memcpy(pending->bytes, jump, PTL_PATCH_LONG);
	memcpy(pending->was, at, PTL_PATCH_LONG);
	return true;
}
