/* SPDX-License-Identifier: MIT */
/* Which calls all ranks made together, and who was waited for; see mpi.h. */
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/report/model/mpi.h"

static int compare_ranks(const void *left, const void *right)
{
	const struct ptl_mpi_rank *a = *(struct ptl_mpi_rank *const *)left;
	const struct ptl_mpi_rank *b = *(struct ptl_mpi_rank *const *)right;

	if (a->job != b->job)
		return a->job->order < b->job->order ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void sort_ranks(struct ptl_mpi *mpi)
{
	struct ptl_mpi_rank *rank = NULL;

	mpi->rank =
		ptl_alloc((mpi->ranks.nr + 1) * sizeof(struct ptl_mpi_rank *));
	while ((rank = ptl_hash_next(&mpi->ranks, rank)) != NULL) {
		rank->job->nr++;
		mpi->rank[mpi->nr_ranks++] = rank;
	}
	qsort(mpi->rank, mpi->nr_ranks, sizeof(struct ptl_mpi_rank *),
	      compare_ranks);
}

bool ptl_mpi_missing(const struct ptl_mpi *mpi, const struct ptl_mpi_job *job,
		     int64_t *next, int64_t *first, int64_t *last)
{
	for (size_t i = 0; i < mpi->nr_ranks; i++) {
		const struct ptl_mpi_rank *rank = mpi->rank[i];

		if (rank->job != job || rank->number < *next)
			continue;
		*first = *next;
		*last = (int64_t)rank->number - 1;
		*next = (int64_t)rank->number + 1;
		if (*first <= *last)
			return true;
	}
	*first = *next;
	*last = job->size - 1;
	*next = job->size > *next ? job->size : *next;
	return *first <= *last;
}

/* All ranks, and no others. */
static bool is_complete(const struct ptl_mpi *mpi,
			const struct ptl_mpi_job *job)
{
	int64_t next = 0, first, last;

	return job->size > 0 && job->nr == (size_t)job->size &&
	       !ptl_mpi_missing(mpi, job, &next, &first, &last);
}

/* A meeting, when the last and the last but one came, and the first left. */
struct meeting {
	struct ptl_mpi_rank *who; /* the last */
	uint64_t last, before;
	uint64_t left;
};

static struct meeting look_at(const struct ptl_mpi_function *function, size_t n)
{
	struct meeting meeting = {.left = UINT64_MAX};
	const struct ptl_mpi_calls *calls = function->calls;

	for (; calls != NULL; calls = calls->next) {
		const struct ptl_mpi_call *call = &calls->call[n];

		if (call->begin >= meeting.last) {
			meeting.before = meeting.last;
			meeting.last = call->begin;
			meeting.who = calls->rank;
		} else if (call->begin > meeting.before) {
			meeting.before = call->begin;
		}
		if (call->took >= 0 &&
		    call->begin + (uint64_t)call->took < meeting.left)
			meeting.left = call->begin + (uint64_t)call->took;
	}
	return meeting;
}

static void count_meeting(struct ptl_mpi_function *function, size_t n,
			  const struct meeting *meeting)
{
	const struct ptl_mpi_calls *calls = function->calls;

	function->met++;
	function->job->met++;
	meeting->who->awaited += (int64_t)(meeting->last - meeting->before);
	for (; calls != NULL; calls = calls->next) {
		const struct ptl_mpi_call *call = &calls->call[n];
		int64_t wait = (int64_t)(meeting->last - call->begin);

		calls->rank->waited += call->took >= 0 && call->took < wait ?
					       call->took :
					       wait;
	}
}

/* How many calls each rank has made; the least of those that were kept. */
static void find_even(struct ptl_mpi_function *function)
{
	const struct ptl_mpi_calls *calls = function->calls;
	size_t nr_ranks = 0, least = SIZE_MAX;

	for (; calls != NULL; calls = calls->next, nr_ranks++) {
		if (calls->nr != function->calls->nr)
			function->is_uneven = true;
		if (calls->nr_kept < least)
			least = calls->nr_kept;
	}
	if (nr_ranks < function->job->nr)
		function->is_uneven = true;
	function->nr_even = function->is_uneven ? 0 : least;
}

static void find_meetings(struct ptl_mpi_function *function)
{
	find_even(function);
	if (!function->job->is_complete || function->job->nr < 2)
		return;
	for (size_t n = 0; n < function->nr_even; n++) {
		struct meeting meeting = look_at(function, n);

		if (meeting.left < meeting.last)
			function->unfit++;
		else
			count_meeting(function, n, &meeting);
	}
}

void ptl_mpi_find(struct ptl_mpi *mpi)
{
	struct ptl_mpi_function *function = NULL;
	struct ptl_mpi_job *job = NULL;

	sort_ranks(mpi);
	while ((job = ptl_hash_next(&mpi->jobs, job)) != NULL)
		job->is_complete = is_complete(mpi, job);
	while ((function = ptl_hash_next(&mpi->functions, function)) != NULL)
		if (function->meets)
			find_meetings(function);
}
