/* SPDX-License-Identifier: MIT */
/* Several logs read as one; see merge.h. */
#include "tools/read/merge.h"

#include <stdlib.h>
#include <time.h>

#include "tools/lib/say.h"
#include "tools/read/hosts.h"

void ptl_merge_open(struct ptl_merge *merge, char *const *paths, size_t nr,
		    int *status)
{
	bool is_any_damaged = false, is_any_missing = false;

	merge->source = ptl_alloc(nr * sizeof(*merge->source));
	merge->nr_sources = 0;
	merge->current = NULL;
	for (size_t i = 0; i < nr; i++) {
		struct ptl_source *source = &merge->source[merge->nr_sources];

		switch (ptl_source_open(source, paths[i])) {
		case PTL_EXIT_OK:
			merge->nr_sources++;
			ptl_source_next(source);
			break;
		case PTL_EXIT_DAMAGED:
			is_any_damaged = true;
			break;
		default:
			is_any_missing = true;
		}
	}
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
}

static bool is_earlier(const struct ptl_source *a, const struct ptl_source *b)
{
	const struct timespec *left = &a->event.posix_timestamp;
	const struct timespec *right = &b->event.posix_timestamp;

	return left->tv_sec < right->tv_sec || (left->tv_sec == right->tv_sec &&
						left->tv_nsec < right->tv_nsec);
}

struct ptl_source *ptl_merge_next(struct ptl_merge *merge)
{
	struct ptl_source *next = NULL;

	if (merge->current != NULL)
		ptl_source_next(merge->current);
	for (size_t i = 0; i < merge->nr_sources; i++) {
		struct ptl_source *source = &merge->source[i];

		if (source->has_event &&
		    (next == NULL || is_earlier(source, next)))
			next = source;
	}
	merge->current = next;
	return next;
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
		if (is_any || !is_later)
			return is_any;
		nanosleep(&pause, NULL);
	}
	return false;
}
