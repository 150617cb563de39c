/* SPDX-License-Identifier: MIT */
/* See call_sums.h. */
#include "tools/report/model/call_sums.h"

#include <stdlib.h>

#include "tools/lib/say.h"

/* Of a graph there are more paths than anybody looks at. */
#define STEPS_MOST 200000

void ptl_call_sums_begin(struct ptl_call_sums *sums)
{
	*sums = (struct ptl_call_sums){.known.value_size = sizeof(size_t)};
}

void ptl_call_sums_free(struct ptl_call_sums *sums)
{
	ptl_hash_clear(&sums->known);
	free(sums->sum);
}

void ptl_call_sums_add(struct ptl_call_sums *sums,
		       const struct ptl_call_sum *some)
{
	const void *key[] = {some->program, some->caller, some->callee};
	size_t *place = ptl_hash_get(&sums->known, key, sizeof(key));
	struct ptl_call_sum *sum;

	if (*place == 0) {
		sums->sum = ptl_grow(sums->sum, sums->nr, &sums->room,
				     sizeof(*sums->sum));
		sums->sum[sums->nr] = (struct ptl_call_sum){
			.program = some->program,
			.caller = some->caller,
			.callee = some->callee,
		};
		*place = ++sums->nr;
	}
	sum = &sums->sum[*place - 1];
	sum->nr += some->nr;
	sum->nr_open += some->nr_open;
	sum->total += some->total;
	sum->self += some->self;
}

static int compare(const void *left, const void *right)
{
	const struct ptl_call_sum *a = left, *b = right;

	if (a->program != b->program)
		return a->program < b->program ? -1 : 1;
	return a->caller == b->caller ? 0 : a->caller < b->caller ? -1 : 1;
}

/* The first of a caller, or where it would be: they are sorted by it. */
static size_t find(const struct ptl_call_sums *sums,
		   const struct ptl_path *program, const char *caller)
{
	const struct ptl_call_sum key = {.program = (struct ptl_path *)program,
					 .caller = caller};
	size_t low = 0, high = sums->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&sums->sum[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct ptl_call_sums *sums, size_t i,
		  const struct ptl_path *program, const char *caller)
{
	return i < sums->nr && sums->sum[i].program == program &&
	       sums->sum[i].caller == caller;
}

/* What it is worth for a share; calls without a time count by their number. */
static double weight_of(const struct ptl_call_sum *sum)
{
	return sum->total > 0 ? (double)sum->total : 1e-3 * (double)sum->nr;
}

/* By whomever it is called, but itself. */
static double weight_of_all(const struct ptl_call_sums *sums,
			    const struct ptl_call_sum *one)
{
	double weight = 0;

	for (size_t i = 0; i < sums->nr; i++) {
		const struct ptl_call_sum *sum = &sums->sum[i];

		if (sum->program == one->program &&
		    sum->callee == one->callee && sum->caller != sum->callee)
			weight += weight_of(sum);
	}
	return weight;
}

struct showing {
	struct ptl_call_sums *sums;
	struct ptl_paths *paths;
	double *all; /* of each sum: weight_of_all() */
	size_t nr_steps;
};

static bool is_around(const struct ptl_path *path, const char *name)
{
	for (; path != NULL && !path->is_program; path = path->parent)
		if (path->name == name)
			return true;
	return false;
}

/* Recursion ends where a function is around itself. */
static void show(struct showing *showing, struct ptl_path *path,
		 struct ptl_path *program, double share)
{
	const struct ptl_call_sums *sums = showing->sums;
	const char *caller = path->name;

	if (path->depth + 1 >= PTL_PATHS_DEPTH)
		return;
	for (size_t i = find(sums, program, caller);
	     is_of(sums, i, program, caller); i++) {
		struct ptl_call_sum *sum = &sums->sum[i];
		bool is_circle = is_around(path, sum->callee);
		struct ptl_path *child;

		if (showing->nr_steps++ > STEPS_MOST)
			return;
		sum->is_shown = true;
		if ((double)sum->nr * share < 0.5)
			continue;
		child = ptl_paths_get(showing->paths, path, sum->callee);
		child->nr += (uint64_t)((double)sum->nr * share + 0.5);
		child->nr_open +=
			(uint64_t)((double)sum->nr_open * share + 0.5);
		child->self += (int64_t)((double)sum->self * share + 0.5);
		child->ns = child->self;
		if (!is_circle && showing->all[i] > 0)
			show(showing, child, program,
			     share * weight_of(sum) / showing->all[i]);
	}
}

static bool is_called(const struct ptl_call_sums *sums,
		      const struct ptl_call_sum *by)
{
	for (size_t i = 0; i < sums->nr; i++)
		if (sums->sum[i].program == by->program &&
		    sums->sum[i].callee == by->caller)
			return true;
	return false;
}

/* From those that nobody calls on; then what calls itself in a circle. */
void ptl_call_sums_show(struct ptl_call_sums *sums, struct ptl_paths *paths)
{
	struct showing showing = {.sums = sums, .paths = paths};

	if (sums->nr == 0)
		return;
	qsort(sums->sum, sums->nr, sizeof(*sums->sum), compare);
	showing.all = ptl_alloc(sums->nr * sizeof(*showing.all));
	for (size_t i = 0; i < sums->nr; i++)
		showing.all[i] = weight_of_all(sums, &sums->sum[i]);
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < sums->nr; i++) {
			struct ptl_call_sum *sum = &sums->sum[i];

			if (sum->is_shown ||
			    (round == 0 && is_called(sums, sum)))
				continue;
			show(&showing,
			     ptl_paths_get(paths, sum->program, sum->caller),
			     sum->program, 1);
		}
	free(showing.all);
	sums->nr = 0;
}
