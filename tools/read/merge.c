/* SPDX-License-Identifier: MIT */
/* Several logs read as one; see merge.h. */
#include "tools/read/merge.h"

#include <stdlib.h>
#include <time.h>

#include "tools/lib/say.h"
#include "tools/read/hosts.h"
#include "tools/read/left_out.h"

/* So many do not stay in the processor's caches. */
#define MANY 64

void ptl_merge_open(struct ptl_merge *merge, char *const *paths, size_t nr,
		    int *status)
{
	bool is_any_damaged = false, is_any_missing = false;
	struct ptl_left_out left = {0};

	*merge = (struct ptl_merge){
		.source = ptl_alloc(nr * sizeof(*merge->source)),
		.heap = ptl_alloc(nr * sizeof(*merge->heap)),
	};
	for (size_t i = 0; i < nr; i++) {
		struct ptl_source *source = &merge->source[merge->nr_sources];
		char why[PTL_OPEN_WHY_SIZE];
		int opened = ptl_source_open(source, paths[i], why);

		if (opened == PTL_EXIT_OK) {
			merge->nr_sources++;
			ptl_source_next(source);
			continue;
		}
		ptl_left_out_add(&left, source->path, why);
		if (opened == PTL_EXIT_DAMAGED)
			is_any_damaged = true;
		else
			is_any_missing = true;
	}
	ptl_left_out_say(&left);
	if (merge->nr_sources > 0)
		ptl_hosts_find(merge->source, merge->nr_sources);
	if (merge->nr_sources == 0 && !is_any_damaged)
		*status = PTL_EXIT_NO_LOG;
	else if (is_any_damaged || is_any_missing)
		*status = PTL_EXIT_DAMAGED;
}

void ptl_merge_close(struct ptl_merge *merge)
{
	ptl_hosts_free(merge->source, merge->nr_sources);
	for (size_t i = 0; i < merge->nr_sources; i++)
		ptl_source_close(&merge->source[i]);
	free(merge->source);
	free(merge->heap);
}

bool ptl_merge_again(struct ptl_merge *merge, const struct ptl_merge *open,
		     size_t only)
{
	size_t first = only < open->nr_sources ? only : 0;
	size_t nr = only < open->nr_sources ? 1 : open->nr_sources;

	*merge = (struct ptl_merge){
		.source = ptl_alloc(nr * sizeof(*merge->source)),
		.heap = ptl_alloc(nr * sizeof(*merge->heap)),
	};
	while (merge->nr_sources < nr) {
		struct ptl_source *source = &merge->source[merge->nr_sources];

		if (!ptl_source_again(source,
				      &open->source[first + merge->nr_sources]))
			break;
		merge->nr_sources++;
		ptl_source_next(source);
	}
	if (merge->nr_sources == nr)
		return true;
	ptl_merge_end_again(merge);
	return false;
}

void ptl_merge_end_again(struct ptl_merge *merge)
{
	for (size_t i = 0; i < merge->nr_sources; i++)
		ptl_source_close(&merge->source[i]);
	free(merge->source);
	free(merge->heap);
	*merge = (struct ptl_merge){0};
}

void ptl_merge_window(struct ptl_merge *merge, const struct timespec *since,
		      const struct timespec *until)
{
	for (size_t i = 0; i < merge->nr_sources; i++) {
		struct ptl_source *source = &merge->source[i];
		bool has_since =
			since != NULL && !ptl_source_has_context(source);

		ptl_source_window(source, has_since ? since : NULL, until);
	}
}

static bool is_before(const struct ptl_merge_item *a,
		      const struct ptl_merge_item *b)
{
	return a->seconds < b->seconds ||
	       (a->seconds == b->seconds && a->rest < b->rest);
}

static struct ptl_merge_item item_of(const struct ptl_merge *merge, size_t i)
{
	const struct timespec *time = &merge->source[i].event.posix_timestamp;

	return (struct ptl_merge_item){
		time->tv_sec, (uint64_t)time->tv_nsec << 32 | (uint32_t)i};
}

/* Puts the item where it belongs, at place i or below. */
static void sift_down(struct ptl_merge *merge, size_t i,
		      struct ptl_merge_item item)
{
	struct ptl_merge_item *heap = merge->heap;
	size_t child;

	while ((child = 2 * i + 1) < merge->nr_heap) {
		if (child + 1 < merge->nr_heap)
			child += is_before(&heap[child + 1], &heap[child]);
		if (!is_before(&heap[child], &item))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = item;
}

static struct ptl_source *top(const struct ptl_merge *merge)
{
	return merge->nr_heap > 0 ?
		       &merge->source[(uint32_t)merge->heap[0].rest] :
		       NULL;
}

/* One of those below the top is the next: of very many logs none is in the
 * processor's caches when its turn comes, so what is needed first of it is
 * asked for while the event before is dealt with. */
static void expect_next(const struct ptl_merge *merge)
{
	for (size_t i = 1; i < 7 && i < merge->nr_heap; i++) {
		const struct ptl_source *source =
			&merge->source[(uint32_t)merge->heap[i].rest];

		ptl_source_expect(source, i < 3);
	}
}

static void drop_top(struct ptl_merge *merge)
{
	merge->nr_heap--;
	sift_down(merge, 0, merge->heap[merge->nr_heap]);
}

/* Of all logs, each of which has its next event. */
static void order(struct ptl_merge *merge)
{
	merge->nr_heap = 0;
	for (size_t i = 0; i < merge->nr_sources; i++)
		if (merge->source[i].has_event)
			merge->heap[merge->nr_heap++] = item_of(merge, i);
	for (size_t i = merge->nr_heap / 2; i-- > 0;)
		sift_down(merge, i, merge->heap[i]);
	merge->is_ordered = true;
}

struct ptl_source *ptl_merge_next(struct ptl_merge *merge)
{
	if (merge->current != NULL)
		ptl_source_next(merge->current);
	/* Most often there is but one. */
	if (merge->nr_sources == 1) {
		merge->current =
			merge->source->has_event ? merge->source : NULL;
		return merge->current;
	}
	if (!merge->is_ordered)
		order(merge);
	else if (merge->current != NULL && merge->current->has_event)
		sift_down(merge, 0,
			  item_of(merge,
				  (size_t)(merge->current - merge->source)));
	else if (merge->current != NULL)
		drop_top(merge);
	/* A log that was read again meanwhile may have turned out to be
	 * damaged. */
	while (merge->nr_heap > 0 && !top(merge)->has_event)
		drop_top(merge);
	merge->current = top(merge);
	if (merge->nr_heap > MANY)
		expect_next(merge);
	return merge->current;
}

/* How long nothing is written, and how many times that, before it is asked
 * whether anybody still writes. */
#define PAUSE_NS 50000000
#define PATIENCE 40

bool ptl_merge_await(struct ptl_merge *merge,
		     const volatile sig_atomic_t *signo)
{
	const struct timespec pause = {0, PAUSE_NS};

	for (unsigned int round = 1; *signo == 0; round++) {
		bool is_any = false, is_later = false;

		for (size_t i = 0; i < merge->nr_sources; i++) {
			enum ptl_source_more more = ptl_source_more(
				&merge->source[i], round % PATIENCE != 0);

			is_any |= more == PTL_SOURCE_NOW;
			is_later |= more == PTL_SOURCE_LATER;
		}
		merge->is_ordered &= !is_any;
		if (is_any || !is_later)
			return is_any;
		nanosleep(&pause, NULL);
	}
	return false;
}
