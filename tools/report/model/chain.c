/* SPDX-License-Identifier: MIT */
/* What came before; see chain.h. */
#include "tools/report/model/chain.h"

/* So many steps in no time, and those wait for each other. */
#define MAX_STILL 64

struct walk {
	struct ptl_strand *strand;
	int64_t at, until;
	unsigned int still; /* steps since the time was another one */
	void (*tell)(void *of, const struct ptl_link *link);
	void *of;
};

/* The last wait that had begun before then; NULL: there is none. */
static struct ptl_wait *last_before(const struct ptl_strand *strand, int64_t at)
{
	size_t low = 0, high = strand->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strand->wait[middle]->begin < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? strand->wait[low - 1] : NULL;
}

/* Back to then. */
static void tell(struct walk *walk, enum ptl_link_kind kind,
		 const struct ptl_wait *wait, int64_t begin)
{
	struct ptl_link link = {.kind = kind,
				.strand = walk->strand,
				.wait = wait,
				.begin = begin > walk->until ? begin :
							       walk->until,
				.end = walk->at};

	if (link.begin >= link.end)
		return;
	walk->tell(walk->of, &link);
	walk->at = link.begin;
	walk->still = 0;
}

static void go_to(struct walk *walk, struct ptl_strand *strand, int64_t at)
{
	walk->strand = strand;
	if (at < walk->at)
		walk->at = at;
}

/* What came before is with the thread that ended the wait, or was to. */
static void step_in_wait(struct walk *walk, const struct ptl_wait *wait)
{
	if (wait->waker == NULL || walk->still > MAX_STILL) {
		tell(walk, PTL_LINK_WAITING, wait, wait->begin);
		return;
	}
	if (wait->woken < walk->at)
		tell(walk, PTL_LINK_WAKING, wait, wait->woken);
	walk->still++;
	go_to(walk, wait->waker, walk->at);
}

/* Returns false where nothing is known of what was before. */
static bool step(struct walk *walk)
{
	struct ptl_strand *strand = walk->strand;
	const struct ptl_wait *wait = last_before(strand, walk->at);

	if (wait != NULL && wait->end >= walk->at) {
		step_in_wait(walk, wait);
		return true;
	}
	if (wait != NULL) {
		tell(walk, PTL_LINK_RUNNING, NULL, wait->end);
		return true;
	}
	tell(walk, PTL_LINK_RUNNING, NULL, strand->begin);
	if (strand->from == NULL)
		return false;
	walk->still++;
	/* Between being begun and its first event, it is a program's start. */
	if (strand->from_at < walk->at)
		tell(walk, PTL_LINK_RUNNING, NULL, strand->from_at);
	go_to(walk, strand->from, walk->at);
	return true;
}

size_t ptl_chain_walk(struct ptl_strand *strand, int64_t at, int64_t until,
		      size_t steps,
		      void (*tell_link)(void *of, const struct ptl_link *link),
		      void *of)
{
	struct walk walk = {.strand = strand,
			    .at = at,
			    .until = until,
			    .tell = tell_link,
			    .of = of};

	while (steps > 0 && walk.at > until && step(&walk))
		steps--;
	return steps;
}

struct ptl_strand *ptl_chain_last(const struct ptl_strands *strands, int64_t at)
{
	struct ptl_strand *strand = NULL, *last = NULL;
	int64_t began = INT64_MIN;

	while ((strand = ptl_strands_next(strands, strand)) != NULL) {
		const struct ptl_wait *wait = last_before(strand, at + 1);
		int64_t begin = wait != NULL ? wait->begin : strand->begin;

		if (begin > at || begin < began || strand->end < at)
			continue;
		last = strand;
		began = begin;
	}
	return last;
}
