/* SPDX-License-Identifier: MIT */
/*
 * What processes have allocated; see heaps.h.  What each place had when the
 * heap was largest is not noted then, which would be at nearly each allocation
 * of a program that starts: a place notes it before it changes, if there was
 * another peak since it did.
 */
#include "tools/model/heaps.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* No block is larger. */
#define SIZE_LIMIT (INT64_C(1) << 48)

struct key {
	const struct ptl_process *process;
	uint64_t image; /* counts those that were seen */
};

/* Of a thread: what it allocated last, if it has freed nothing since. */
struct last {
	uint64_t life;
	uint64_t address;
};

struct ptl_heaps {
	struct ptl_hash heaps;	/* struct ptl_heap, by process and image */
	struct ptl_hash sites;	/* struct ptl_heap_site, by heap and place */
	struct ptl_hash frames; /* stacks, which are their own keys */
	void *at;		/* the place that was said; NULL: none was */
	struct last none;	/* of places that were */
};

struct ptl_heaps *ptl_heaps_new(void)
{
	struct ptl_heaps *heaps = ptl_alloc(sizeof(*heaps));

	heaps->heaps.value_size = sizeof(struct ptl_heap);
	heaps->sites.value_size = sizeof(struct ptl_heap_site);
	heaps->frames.value_size = sizeof(size_t);
	return heaps;
}

void ptl_heaps_free(struct ptl_heaps *heaps)
{
	struct ptl_heap *heap = NULL;

	while ((heap = ptl_hash_next(&heaps->heaps, heap)) != NULL) {
		ptl_blocks_free(&heap->blocks);
		ptl_curve_free(&heap->curve);
	}
	ptl_hash_clear(&heaps->heaps);
	ptl_hash_clear(&heaps->sites);
	ptl_hash_clear(&heaps->frames);
	free(heaps);
}

static struct ptl_heap *get_heap(struct ptl_heaps *heaps,
				 const struct ptl_step *step)
{
	struct key key = {step->process, step->process->nr_images};
	struct ptl_heap *heap = ptl_hash_get(&heaps->heaps, &key, sizeof(key));

	heap->process = step->process;
	heap->program = step->process->label;
	return heap;
}

/* The innermost frames of the event's stack; of one without it, its place. */
static const size_t *get_frames(struct ptl_heaps *heaps,
				const struct ptl_step *step)
{
	const struct ptl_site *frame[PTL_HEAP_FRAMES] = {NULL};
	const struct ptl_stack *stack = ptl_model_stack(step);
	size_t nr = 0, *nr_of;

	for (; stack != NULL && nr < PTL_HEAP_FRAMES; stack = stack->caller)
		frame[nr++] = stack->site;
	if (nr == 0)
		frame[nr++] = ptl_model_site(step);
	nr_of = ptl_hash_get(&heaps->frames, frame, nr * sizeof(*frame));
	*nr_of = nr;
	return nr_of;
}

static struct ptl_heap_site *get_site(struct ptl_heaps *heaps,
				      struct ptl_heap *heap,
				      const struct ptl_step *step)
{
	const size_t *frames =
		heaps->at == NULL ? get_frames(heaps, step) : NULL;
	const void *key[] = {heap, frames != NULL ? frames : heaps->at};
	struct ptl_heap_site *site =
		ptl_hash_get(&heaps->sites, key, sizeof(key));

	site->heap = heap;
	site->at = heaps->at;
	if (frames != NULL) {
		site->frame = ptl_hash_key(&heaps->frames, frames);
		site->nr_frames = *frames;
	}
	return site;
}

/* Before it changes. */
static void note_peak(struct ptl_heap_site *site)
{
	if (site->peak == site->heap->peaks)
		return;
	site->at_peak = site->live;
	site->peak = site->heap->peaks;
}

static void release(struct ptl_heap *heap, struct ptl_block *block)
{
	struct ptl_heap_site *site = block->site;

	note_peak(site);
	site->live -= block->size;
	site->live_blocks--;
	heap->live -= block->size;
	ptl_blocks_take(&heap->blocks, block);
}

static struct last *get_last(struct ptl_heaps *heaps,
			     const struct ptl_step *step)
{
	struct last *last = step->thread->of[PTL_THREAD_HEAP];

	/* Threads have one for all heaps. */
	if (heaps->at != NULL)
		return &heaps->none;
	if (last == NULL)
		last = step->thread->of[PTL_THREAD_HEAP] =
			ptl_alloc(sizeof(*last));
	if (last->life != step->thread->life)
		last->address = 0;
	last->life = step->thread->life;
	return last;
}

static void allocate(struct ptl_heaps *heaps, struct ptl_heap *heap,
		     const struct ptl_step *step, uint64_t address,
		     int64_t size)
{
	struct ptl_heap_site *site = get_site(heaps, heap, step);
	struct ptl_block *old = ptl_blocks_find(&heap->blocks, address);
	struct ptl_block block = {address, size, site, 0};

	/*
	 * Events come in the order in which calls began: another thread may
	 * free the old one in an event that is still to come.
	 */
	if (old != NULL) {
		release(heap, old);
		block.until =
			step->now + (step->duration > 0 ? step->duration : 0);
	}
	note_peak(site);
	site->nr++;
	site->bytes += size;
	site->live += size;
	site->live_blocks++;
	heap->nr++;
	heap->live += size;
	ptl_curve_put(&heap->curve, step->now, (double)heap->live);
	ptl_blocks_put(&heap->blocks, &block);
	if (heap->live > heap->peak || heap->peaks == 0) {
		heap->peak = heap->live;
		heap->peak_at = step->now;
		heap->peaks++;
	}
	get_last(heaps, step)->address = address;
}

static void free_block(struct ptl_heaps *heaps, struct ptl_heap *heap,
		       const struct ptl_step *step, uint64_t address,
		       bool is_free)
{
	struct ptl_block *block = ptl_blocks_find(&heap->blocks, address);
	struct last *last = get_last(heaps, step);

	if (address == 0)
		return;
	heap->nr_freed += is_free;
	if (block == NULL) {
		heap->nr_foreign++;
	} else if (block->until != 0 && step->now <= block->until) {
		block->until = 0;
	} else {
		if (last->address == address)
			((struct ptl_heap_site *)block->site)->nr_temporary++;
		release(heap, block);
		ptl_curve_put(&heap->curve, step->now, (double)heap->live);
	}
	last->address = 0;
}

/* What an allocation asks for; -1: the event was cut. */
static int64_t size_of(const struct ptl_step *step)
{
	int64_t size = ptl_step_field(step, PTL_FIELD_SIZE, -1);
	int64_t count = ptl_step_field(step, PTL_FIELD_COUNT, 1), bytes;

	return size < 0 || __builtin_mul_overflow(size, count, &bytes) ||
			       bytes < 0 || bytes > SIZE_LIMIT ?
		       -1 :
		       bytes;
}

void ptl_heaps_learn(struct ptl_heaps *heaps, const struct ptl_step *step,
		     void *at)
{
	struct ptl_heap *heap;
	uint64_t ret;
	int64_t size;

	if (step->process == NULL || step->kind->family != PTL_FAMILY_MEM)
		return;
	heaps->at = at;
	ret = (uint64_t)ptl_step_field(step, PTL_FIELD_RESULT, 0);
	size = size_of(step);
	switch (step->kind->act) {
	case PTL_ACT_ALLOCATE:
		heap = get_heap(heaps, step);
		if (ret != 0 && size >= 0)
			allocate(heaps, heap, step, ret, size);
		else
			heap->nr_failed++;
		break;
	case PTL_ACT_REALLOCATE:
		heap = get_heap(heaps, step);
		if (ret == 0 && size != 0) {
			heap->nr_failed++;
			break;
		}
		free_block(heaps, heap, step,
			   (uint64_t)ptl_step_field(step, PTL_FIELD_POINTER, 0),
			   false);
		if (ret != 0 && size >= 0)
			allocate(heaps, heap, step, ret, size);
		break;
	case PTL_ACT_FREE:
		free_block(heaps, get_heap(heaps, step), step,
			   (uint64_t)ptl_step_field(step, PTL_FIELD_POINTER, 0),
			   true);
		break;
	default:
		break;
	}
}

void ptl_heaps_end(struct ptl_heaps *heaps)
{
	struct ptl_heap_site *site = NULL;
	struct ptl_heap *heap = NULL;

	while ((site = ptl_hash_next(&heaps->sites, site)) != NULL)
		note_peak(site);
	while ((heap = ptl_hash_next(&heaps->heaps, heap)) != NULL) {
		const struct key *key = ptl_hash_key(&heaps->heaps, heap);

		heap->is_replaced = key->image < heap->process->nr_images;
	}
}

const struct ptl_heap *ptl_heaps_next(const struct ptl_heaps *heaps,
				      const struct ptl_heap *heap)
{
	return ptl_hash_next(&heaps->heaps, heap);
}

const struct ptl_heap_site *
ptl_heaps_next_site(const struct ptl_heaps *heaps,
		    const struct ptl_heap_site *site)
{
	return ptl_hash_next(&heaps->sites, site);
}
