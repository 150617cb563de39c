/* SPDX-License-Identifier: MIT */
/* Waits summed up; see wait_sums.h. */
#include "tools/report/model/wait_sums.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* So many steps are gone for all waits together: some ten seconds' worth. */
#define STEPS 20000000

struct ptl_wait_sums {
	struct ptl_hash sums;  /* struct ptl_wait_sum, by program and name */
	struct ptl_hash deeds; /* struct ptl_deed, by sum, program and what */
	size_t steps;
};

/* Whom the links are told to. */
struct telling {
	struct ptl_wait_sums *sums;
	struct ptl_wait_sum *sum;
};

const char *ptl_link_name(const struct ptl_link *link)
{
	switch (link->kind) {
	case PTL_LINK_WAKING:
		return "waking up";
	case PTL_LINK_WAITING:
		return ptl_wait_name(link->wait);
	default:
		return "running";
	}
}

struct ptl_deed *ptl_deeds_add(struct ptl_hash *deeds, const void *of,
			       const struct ptl_link *link)
{
	const void *key[] = {of, ptl_strand_program(link->strand),
			     ptl_link_name(link)};
	const struct ptl_site *site =
		link->kind == PTL_LINK_WAITING ? link->wait->site : NULL;
	struct ptl_deed *deed = ptl_hash_get(deeds, key, sizeof(key));
	int64_t time = link->end - link->begin;

	if (deed->nr++ == 0)
		deed->site = site;
	else if (deed->site != site)
		deed->site = NULL;
	deed->program = key[1];
	deed->what = key[2];
	deed->time += time;
	if (time > deed->max)
		deed->max = time;
	return deed;
}

static void add_link(void *of, const struct ptl_link *link)
{
	struct telling *telling = of;
	struct ptl_deed *deed =
		ptl_deeds_add(&telling->sums->deeds, telling->sum, link);

	if (deed->is_known)
		return;
	deed->is_known = true;
	deed->next = telling->sum->meanwhile;
	telling->sum->meanwhile = deed;
}

/* What came before it was over, from its begin on. */
static void follow(struct ptl_wait_sums *sums, struct ptl_wait_sum *sum,
		   const struct ptl_wait *wait)
{
	struct telling telling = {sums, sum};

	if (wait->waker == NULL) {
		sum->nr_unknown++;
		return;
	}
	sums->steps = ptl_chain_walk(wait->strand, wait->end, wait->begin,
				     sums->steps, add_link, &telling);
}

static void add(struct ptl_wait_sums *sums, const struct ptl_wait *wait)
{
	const void *key[] = {ptl_strand_program(wait->strand),
			     ptl_wait_name(wait)};
	struct ptl_wait_sum *sum = ptl_hash_get(&sums->sums, key, sizeof(key));

	sum->program = key[0];
	sum->name = key[1];
	sum->kind = wait->kind;
	ptl_hist_add(&sum->hist, (uint64_t)(wait->end - wait->begin));
	follow(sums, sum, wait);
}

static int compare_deeds(const void *left, const void *right)
{
	const struct ptl_deed *a = *(struct ptl_deed *const *)left;
	const struct ptl_deed *b = *(struct ptl_deed *const *)right;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return strcmp(a->what, b->what);
}

static void sort_deeds(struct ptl_wait_sum *sum)
{
	size_t nr = 0, room = 0;
	struct ptl_deed **deed = NULL;

	for (; sum->meanwhile != NULL; sum->meanwhile = sum->meanwhile->next) {
		deed = ptl_grow(deed, nr, &room, sizeof(struct ptl_deed *));
		deed[nr++] = sum->meanwhile;
	}
	if (nr > 0)
		qsort(deed, nr, sizeof(struct ptl_deed *), compare_deeds);
	for (; nr > 0; nr--) {
		deed[nr - 1]->next = sum->meanwhile;
		sum->meanwhile = deed[nr - 1];
	}
	free(deed);
}

struct ptl_wait_sums *ptl_wait_sums_new(const struct ptl_strands *strands)
{
	struct ptl_wait_sums *sums = ptl_alloc(sizeof(*sums));
	struct ptl_wait_sum *sum = NULL;
	struct ptl_strand *strand = NULL;

	sums->sums.value_size = sizeof(struct ptl_wait_sum);
	sums->deeds.value_size = sizeof(struct ptl_deed);
	sums->steps = STEPS;
	while ((strand = ptl_strands_next(strands, strand)) != NULL)
		for (size_t i = 0; i < strand->nr; i++)
			add(sums, strand->wait[i]);
	while ((sum = ptl_hash_next(&sums->sums, sum)) != NULL)
		sort_deeds(sum);
	return sums;
}

void ptl_wait_sums_free(struct ptl_wait_sums *sums)
{
	struct ptl_wait_sum *sum = NULL;

	while ((sum = ptl_hash_next(&sums->sums, sum)) != NULL)
		ptl_hist_free(&sum->hist);
	ptl_hash_clear(&sums->sums);
	ptl_hash_clear(&sums->deeds);
	free(sums);
}

const struct ptl_wait_sum *ptl_wait_sums_next(const struct ptl_wait_sums *sums,
					      const struct ptl_wait_sum *sum)
{
	return ptl_hash_next(&sums->sums, sum);
}

bool ptl_wait_sums_is_cut(const struct ptl_wait_sums *sums)
{
	return sums->steps == 0;
}
