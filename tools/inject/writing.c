/* SPDX-License-Identifier: MIT */
/* See writing.h. */
#include "tools/inject/writing.h"

#if defined(__x86_64__) && defined(__GLIBC__)

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/inject/points.h"
#include "tools/lib/say.h"

#define PAGE UINT64_C(4096)
#define BATCHES_MOST 4096
#define PENDING_MOST (UINT64_C(1) << 24)

enum fate { WAITS, WRITTEN, NEVER };

struct ptl_writing_batch {
	uint64_t nr;
	struct ptl_pending *pending;
	unsigned char *fate;
};

static bool read_batch(struct ptl_writing *writing, uint64_t at)
{
	struct ptl_writing_batch *batch = &writing->batch[writing->nr];
	struct ptl_pending_batch its;

	if (!ptl_target_read(writing->pid, at, &its, sizeof(its)) ||
	    its.nr > PENDING_MOST)
		return false;
	batch->nr = its.nr;
	batch->pending = ptl_alloc(its.nr * sizeof(*batch->pending) + 1);
	batch->fate = ptl_alloc(its.nr + 1);
	writing->nr++;
	writing->left += its.nr;
	return ptl_target_read(writing->pid, its.pending, batch->pending,
			       its.nr * sizeof(*batch->pending));
}

bool ptl_writing_read(struct ptl_writing *writing, pid_t pid, uint64_t at,
		      uint64_t nr)
{
	*writing = (struct ptl_writing){.pid = pid};
	if (nr > BATCHES_MOST)
		return false;
	writing->batch = ptl_alloc(nr * sizeof(*writing->batch) + 1);
	for (uint64_t i = 0; i < nr; i++)
		if (!read_batch(writing,
				at + i * sizeof(struct ptl_pending_batch)))
			return false;
	return true;
}

void ptl_writing_free(struct ptl_writing *writing)
{
	for (size_t i = 0; i < writing->nr; i++) {
		free(writing->batch[i].pending);
		free(writing->batch[i].fate);
	}
	free(writing->batch);
	*writing = (struct ptl_writing){0};
}

/* ---- one ------------------------------------------------------------- */

static uint64_t page_of(const struct ptl_pending *pending)
{
	return pending->at & -PAGE;
}

/* Can it never be?  What is on two pages is not written at once. */
static bool is_hopeless(const struct ptl_writing_batch *batch, uint64_t i)
{
	const struct ptl_pending *pending = &batch->pending[i];

	if (pending->size == 0 || pending->size > PTL_PATCH_LONG ||
	    (pending->at & (PAGE - 1)) > PAGE - pending->size)
		return true;
	if (pending->behind == PTL_PENDING_NONE)
		return pending->kind == PTL_PENDING_SHORT;
	return pending->behind >= batch->nr ||
	       batch->fate[pending->behind] == NEVER;
}

/* At its first byte a thread comes to the jump, as it would later. */
static bool may_write(const struct ptl_writing_batch *batch, uint64_t i,
		      const struct ptl_inject_target *target)
{
	const struct ptl_pending *pending = &batch->pending[i];
	uint64_t from = pending->at + (pending->kind != PTL_PENDING_ISLAND);

	if (pending->behind != PTL_PENDING_NONE &&
	    batch->fate[pending->behind] != WRITTEN)
		return false;
	if (pending->kind == PTL_PENDING_LOADER && !ptl_target_is_free(target))
		return false;
	return !ptl_points_between(from, pending->at + pending->size);
}

/* ---- a page ----------------------------------------------------------- */

struct page {
	int memory;
	unsigned char bytes[PAGE];
	uint64_t at;	   /* 0: none */
	size_t begin, end; /* what was changed */
	size_t nr;	   /* so many are in `member' */
	unsigned char *member[PAGE / PTL_PATCH_SHORT];
};

/* What becomes of its members is known then. */
static void write_page(struct page *page)
{
	bool is_done =
		page->nr > 0 && pwrite(page->memory, page->bytes + page->begin,
				       page->end - page->begin,
				       (off_t)(page->at + page->begin)) ==
					(ssize_t)(page->end - page->begin);

	for (size_t i = 0; i < page->nr; i++)
		*page->member[i] = is_done ? WRITTEN : NEVER;
	page->nr = 0;
}

static void turn_to(struct page *page, uint64_t at)
{
	if (page->at == at)
		return;
	write_page(page);
	page->at = at;
	page->begin = PAGE;
	page->end = 0;
	/* What cannot be read is as nothing that was expected. */
	if (pread(page->memory, page->bytes, PAGE, (off_t)at) != (ssize_t)PAGE)
		memset(page->bytes, 0, PAGE);
}

static void put(struct page *page, const struct ptl_pending *pending,
		unsigned char *fate)
{
	size_t from = pending->at & (PAGE - 1), to = from + pending->size;

	turn_to(page, page_of(pending));
	if (memcmp(page->bytes + from, pending->was, pending->size) != 0) {
		*fate = NEVER;
		return;
	}
	memcpy(page->bytes + from, pending->bytes, pending->size);
	if (from < page->begin)
		page->begin = from;
	if (to > page->end)
		page->end = to;
	page->member[page->nr++] = fate;
}

/* ---- all -------------------------------------------------------------- */

static void write_kind(const struct ptl_writing_batch *batch, struct page *page,
		       const struct ptl_inject_target *target, bool is_last,
		       int kind)
{
	for (uint64_t i = 0; i < batch->nr; i++) {
		const struct ptl_pending *pending = &batch->pending[i];
		bool is_loader = pending->kind == PTL_PENDING_LOADER;

		if (batch->fate[i] != WAITS || is_loader != is_last ||
		    (!is_loader && pending->kind != kind))
			continue;
		if (is_hopeless(batch, i))
			batch->fate[i] = NEVER;
		else if (may_write(batch, i, target))
			put(page, pending, &batch->fate[i]);
	}
	write_page(page);
	page->at = 0;
}

static void count(struct ptl_writing *writing)
{
	writing->left = writing->hopeless = 0;
	for (size_t i = 0; i < writing->nr; i++)
		for (uint64_t k = 0; k < writing->batch[i].nr; k++) {
			unsigned char fate = writing->batch[i].fate[k];

			writing->left += fate != WRITTEN;
			writing->hopeless += fate == NEVER;
		}
}

bool ptl_writing_write(struct ptl_writing *writing,
		       const struct ptl_inject_target *target)
{
	static const int kinds[] = {PTL_PENDING_JUMP, PTL_PENDING_ISLAND,
				    PTL_PENDING_SHORT, PTL_PENDING_LOADER};
	static struct page page;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)writing->pid);
	page.memory = open(path, O_RDWR | O_CLOEXEC);
	if (page.memory < 0)
		return false;
	for (size_t kind = 0; kind < PTL_ARRAY_SIZE(kinds); kind++)
		for (size_t i = 0; i < writing->nr; i++)
			write_kind(&writing->batch[i], &page, target,
				   kinds[kind] == PTL_PENDING_LOADER,
				   kinds[kind]);
	close(page.memory);
	count(writing);
	return true;
}

#endif
