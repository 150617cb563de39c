/* SPDX-License-Identifier: MIT */
/* What a page shows of causes; see causes.h. */
#include "tools/page/causes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/report/model/wait_sums.h"
#include "tools/report/show/json.h"

/* Some 60 bytes each, before they are compressed. */
#define MAX_WAITS 20000
#define MAX_LINKS 20000

/* What was done while somebody waited: so many deeds are told apart, and those
 * that took longest shown; and so many steps are gone for all waits together.
 */
#define MAX_DEEDS 64
#define SHOWN_DEEDS 3
#define MAX_STEPS 5000000

/* What one program did of one kind, all in all, and the longest time of it. */
struct doing {
	const char *program, *what;
	int64_t time;
	struct ptl_link longest;
};

struct meanwhile {
	struct doing doing[MAX_DEEDS];
	size_t nr;
};

static int compare_lengths(const void *left, const void *right)
{
	const struct ptl_wait *a = *(const struct ptl_wait *const *)left;
	const struct ptl_wait *b = *(const struct ptl_wait *const *)right;
	int64_t by = (b->end - b->begin) - (a->end - a->begin);

	return (by > 0) - (by < 0);
}

static int compare_begins(const void *left, const void *right)
{
	const struct ptl_wait *a = *(const struct ptl_wait *const *)left;
	const struct ptl_wait *b = *(const struct ptl_wait *const *)right;

	return (a->begin > b->begin) - (a->begin < b->begin);
}

static void put_strand(struct ptl_out *out, const struct ptl_strand *strand)
{
	ptl_out_uint(out, strand->process->number);
	ptl_out_char(out, ',');
	ptl_out_int(out, strand->tid);
}

static void put_time(struct ptl_out *out, int64_t time)
{
	ptl_out_char(out, ',');
	ptl_out_int(out, time);
}

static void add_link(void *of, const struct ptl_link *link)
{
	struct meanwhile *meanwhile = of;
	const char *program = ptl_strand_program(link->strand);
	const char *what = ptl_link_name(link);
	int64_t time = link->end - link->begin;
	struct doing *doing = meanwhile->doing;

	while (doing < meanwhile->doing + meanwhile->nr &&
	       (strcmp(doing->program, program) != 0 ||
		strcmp(doing->what, what) != 0))
		doing++;
	if (doing == meanwhile->doing + meanwhile->nr) {
		if (meanwhile->nr == MAX_DEEDS)
			return;
		meanwhile->nr++;
		*doing = (struct doing){.program = program, .what = what};
	}
	doing->time += time;
	if (time > doing->longest.end - doing->longest.begin)
		doing->longest = *link;
}

static int compare_doings(const void *left, const void *right)
{
	const struct doing *a = left, *b = right;

	return (a->time < b->time) - (a->time > b->time);
}

static void put_doing(struct ptl_out *out, const struct doing *doing)
{
	char text[1200];
	int size = snprintf(text, sizeof(text), "%.100s: %.1000s",
			    doing->program, doing->what);

	ptl_out_char(out, '[');
	ptl_quote_json(out, text, (size_t)size);
	put_time(out, doing->time);
	ptl_out_char(out, ',');
	put_strand(out, doing->longest.strand);
	put_time(out, doing->longest.begin);
	ptl_out_char(out, ']');
}

/* What came before the end of a wait, from its begin on. */
static void put_meanwhile(struct ptl_out *out, const struct ptl_wait *wait,
			  size_t *steps)
{
	struct meanwhile meanwhile;

	meanwhile.nr = 0;
	if (wait->waker != NULL)
		*steps = ptl_chain_walk(wait->strand, wait->end, wait->begin,
					*steps, add_link, &meanwhile);
	/* The way may have been walked only in part. */
	if (*steps == 0)
		meanwhile.nr = 0;
	if (meanwhile.nr > 0)
		qsort(meanwhile.doing, meanwhile.nr, sizeof(struct doing),
		      compare_doings);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < meanwhile.nr && i < SHOWN_DEEDS; i++) {
		if (i > 0)
			ptl_out_char(out, ',');
		put_doing(out, &meanwhile.doing[i]);
	}
	ptl_out_char(out, ']');
}

static void put_wait(struct ptl_out *out, const struct ptl_wait *wait,
		     size_t *steps)
{
	const char *name = ptl_wait_name(wait);

	ptl_out_char(out, '[');
	put_strand(out, wait->strand);
	put_time(out, wait->begin);
	put_time(out, wait->end);
	ptl_out_char(out, ',');
	if (wait->waker != NULL)
		put_strand(out, wait->waker);
	else
		ptl_out_str(out, "null,0");
	put_time(out, wait->woken);
	put_time(out, wait->told);
	ptl_out_char(out, ',');
	ptl_quote_json(out, name, strlen(name));
	ptl_out_char(out, ',');
	put_meanwhile(out, wait, steps);
	ptl_out_char(out, ']');
}

/* Of what only waited for time, its name says all. */
static bool is_told(const struct ptl_wait *wait)
{
	return wait->waker != NULL || wait->kind != PTL_WAIT_CALL;
}

static void put_waits(struct ptl_out *out, const struct ptl_strands *strands)
{
	const struct ptl_strand *strand = NULL;
	const struct ptl_wait **wait = NULL;
	size_t nr = 0, room = 0, steps = MAX_STEPS;

	while ((strand = ptl_strands_next(strands, strand)) != NULL)
		for (size_t i = 0; i < strand->nr; i++) {
			if (!is_told(strand->wait[i]))
				continue;
			wait = ptl_grow(wait, nr, &room, sizeof(*wait));
			wait[nr++] = strand->wait[i];
		}
	if (nr > MAX_WAITS) {
		qsort(wait, nr, sizeof(*wait), compare_lengths);
		nr = MAX_WAITS;
	}
	if (nr > 0)
		qsort(wait, nr, sizeof(*wait), compare_begins);
	for (size_t i = 0; i < nr; i++) {
		if (i > 0)
			ptl_out_char(out, ',');
		put_wait(out, wait[i], &steps);
	}
	free(wait);
}

static int compare_numbers(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a < b) - (a > b);
}

/* The length of the shortest links that are shown. */
static int64_t least_of(const struct ptl_link *link, size_t nr)
{
	int64_t *length, least;

	if (nr <= MAX_LINKS)
		return 0;
	length = ptl_alloc(nr * sizeof(*length));
	for (size_t i = 0; i < nr; i++)
		length[i] = link[i].end - link[i].begin;
	qsort(length, nr, sizeof(*length), compare_numbers);
	least = length[MAX_LINKS];
	free(length);
	return least;
}

static void put_links(struct ptl_out *out, const struct ptl_link *link,
		      size_t nr)
{
	int64_t least = least_of(link, nr);
	bool is_first = true;

	for (size_t i = nr; i > 0; i--) {
		const struct ptl_link *each = &link[i - 1];

		if (each->end - each->begin < least)
			continue;
		ptl_out_str(out, is_first ? "[" : ",[");
		is_first = false;
		put_strand(out, each->strand);
		put_time(out, each->begin);
		put_time(out, each->end);
		ptl_out_char(out, ']');
	}
}

void ptl_causes_json(const struct ptl_strands *strands,
		     const struct ptl_link *link, size_t nr_links,
		     struct ptl_out *out)
{
	ptl_json_key(out, "waits", false);
	ptl_out_char(out, '[');
	put_waits(out, strands);
	ptl_out_char(out, ']');
	ptl_json_key(out, "critical", false);
	ptl_out_char(out, '[');
	put_links(out, link, nr_links);
	ptl_out_char(out, ']');
}
