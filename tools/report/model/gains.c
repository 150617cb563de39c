/* SPDX-License-Identifier: MIT */
/*
 * What it would gain; see gains.h.  All is gone through once more for each
 * deed, in the order of time, as if the deed took no time: for each thread it
 * is known by how much it is ahead of what was recorded.  A wait is over when
 * the thread that ended it has come there, or at once, if that is before it
 * begins.  Nobody goes on before the end of a process or thread that was asked
 * for.  All else takes as long as it did, and threads do the same things in the
 * same order.
 */
#include "tools/report/model/gains.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* So many points are looked at in all, some seconds' worth: the more there are,
 * the fewer deeds. */
#define MAX_LOOKS UINT64_C(200000000)

/* So many wait for each other, one for the next. */
#define MAX_STILL 64

/* In the order in which those of one moment are gone through: a wait that took
 * no time after it was ended is over behind that. */
enum gain_point_kind { OVER, ENDED, OVER_THEN, MET, STARTED, BEGUN };

struct gain_strand;

/* Something that happened. */
struct gain_point {
	int64_t at;
	enum gain_point_kind kind;
	struct gain_strand
		*runner; /* whose point it is; of ENDED: who waited */
	struct gain_strand
		*other; /* who has ended or begun it; NULL: not known */
	const struct ptl_wait *wait;
	int64_t over; /* of MET: when the other one was over */
	const struct ptl_deed
		*deed; /* what waiting is; NULL: not on the path */
};

/* A strand, and the deeds that it may have done. */
struct gain_strand {
	const struct ptl_strand *strand;
	const struct ptl_deed *running, *waking;

	/* While one of the deeds is looked at. */
	int64_t ahead; /* ns, when it began to run or to wait ... */
	int64_t since; /* ... then */
	const struct gain_point *waiting; /* in that; NULL: it runs */
	int64_t waker_ahead;		  /* when that ended the wait */
};

struct gains {
	struct ptl_hash runners; /* struct gain_strand, by strand */
	struct gain_point *point;
	size_t nr, room;
	int64_t at, until;
};

static const struct ptl_deed *find_deed(const struct ptl_hash *deeds,
					const void *of,
					const struct ptl_link *link)
{
	const void *key[] = {of, ptl_strand_program(link->strand),
			     ptl_link_name(link)};

	return ptl_hash_find(deeds, key, sizeof(key));
}

static struct gain_strand *runner_of(struct gains *gains,
				     const struct ptl_strand *strand)
{
	return strand != NULL ?
		       ptl_hash_get(&gains->runners, &strand, sizeof(strand)) :
		       NULL;
}

static void add_point(struct gains *gains, int64_t at,
		      enum gain_point_kind kind, const struct gain_point *point)
{
	if (at > gains->at)
		return;
	gains->point = ptl_grow(gains->point, gains->nr, &gains->room,
				sizeof(*gains->point));
	gains->point[gains->nr] = *point;
	gains->point[gains->nr].at = at;
	gains->point[gains->nr++].kind = kind;
}

static void add_wait(struct gains *gains, const struct ptl_hash *deeds,
		     const void *of, const struct ptl_wait *wait)
{
	const struct ptl_link link = {
		.kind = PTL_LINK_WAITING, .strand = wait->strand, .wait = wait};
	const struct gain_point point = {
		.runner = runner_of(gains, wait->strand),
		.other = runner_of(gains, wait->waker),
		.wait = wait,
		.deed = wait->waker == NULL ? find_deed(deeds, of, &link) :
					      NULL,
	};

	/* What was over before is as it was. */
	if (wait->end <= gains->until)
		return;
	add_point(gains, wait->begin, BEGUN, &point);
	if (wait->waker != NULL)
		add_point(gains, wait->woken, ENDED, &point);
	add_point(gains, wait->end, wait->woken < wait->end ? OVER : OVER_THEN,
		  &point);
}

/* Where it is over nothing of it changes any more. */
static void add_meeting(struct gains *gains, struct gain_strand *runner,
			const struct ptl_meeting *meeting)
{
	const struct gain_point point = {
		.runner = runner,
		.other = runner_of(gains, meeting->other),
		.over = meeting->over,
	};

	if (meeting->at > gains->until)
		add_point(gains, meeting->at, MET, &point);
}

static void add_strand(struct gains *gains, const struct ptl_hash *deeds,
		       const void *of, const struct ptl_strand *strand)
{
	struct ptl_link link = {.kind = PTL_LINK_RUNNING, .strand = strand};
	struct gain_strand *runner = runner_of(gains, strand);
	const struct gain_point point = {
		.runner = runner, .other = runner_of(gains, strand->from)};

	runner->strand = strand;
	runner->running = find_deed(deeds, of, &link);
	link.kind = PTL_LINK_WAKING;
	runner->waking = find_deed(deeds, of, &link);
	add_point(gains, strand->from != NULL ? strand->from_at : strand->begin,
		  STARTED, &point);
	for (size_t i = 0; i < strand->nr; i++)
		add_wait(gains, deeds, of, strand->wait[i]);
	for (size_t i = 0; i < strand->nr_meetings; i++)
		add_meeting(gains, runner, &strand->meeting[i]);
}

static int compare_points(const void *left, const void *right)
{
	const struct gain_point *a = left, *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

/* How much of a time is on this side of where the path begins. */
static int64_t length(const struct gains *gains, int64_t begin, int64_t end)
{
	if (begin < gains->until)
		begin = gains->until;
	return end > begin ? end - begin : 0;
}

/* By how much it is ahead then, while it runs, or waits since it began to. */
static int64_t ahead_at(const struct gains *gains,
			const struct gain_strand *runner,
			const struct ptl_deed *deed, int64_t at)
{
	if (runner->waiting != NULL || runner->running != deed)
		return runner->ahead;
	return runner->ahead + length(gains, runner->since, at);
}

static void run_from(struct gain_strand *runner, int64_t ahead, int64_t at)
{
	runner->ahead = ahead;
	runner->since = at;
	runner->waiting = NULL;
}

static void begin_wait(const struct gains *gains,
		       const struct gain_point *point,
		       const struct ptl_deed *deed)
{
	struct gain_strand *runner = point->runner;

	runner->ahead = ahead_at(gains, runner, deed, point->at);
	runner->waiting = point;
	runner->waker_ahead = 0;
}

/* When the wait that it is in is over, or the time is. */
static int64_t ahead_behind(const struct gains *gains,
			    const struct gain_strand *runner,
			    const struct ptl_deed *deed, int64_t end)
{
	const struct ptl_wait *wait = runner->waiting->wait;
	int64_t ahead = runner->ahead, most;

	if (wait->waker == NULL)
		return runner->waiting->deed == deed ?
			       ahead + length(gains, wait->begin, end) :
			       ahead;
	most = ahead + length(gains, wait->begin, wait->woken);
	ahead = runner->waker_ahead < most ? runner->waker_ahead : most;
	return runner->waking == deed ?
		       ahead + length(gains, wait->woken, end) :
		       ahead;
}

static void end_wait(const struct gains *gains, const struct gain_point *point,
		     const struct ptl_deed *deed)
{
	struct gain_strand *runner = point->runner;

	/* Another one may have begun in it. */
	if (runner->waiting != NULL && runner->waiting->wait == point->wait)
		run_from(runner,
			 ahead_behind(gains, runner, deed, point->wait->end),
			 point->wait->end);
}

/* Not ahead of the end that was asked for. */
static void meet(const struct gains *gains, const struct gain_point *point,
		 const struct ptl_deed *deed)
{
	struct gain_strand *runner = point->runner;
	int64_t ahead = ahead_at(gains, runner, deed, point->at);
	int64_t most = ahead_at(gains, point->other, deed, point->over) +
		       length(gains, point->over, point->at);

	if (runner->waiting == NULL)
		run_from(runner, ahead < most ? ahead : most, point->at);
}

static void pass(const struct gains *gains, const struct gain_point *point,
		 const struct ptl_deed *deed)
{
	struct gain_strand *runner = point->runner, *other = point->other;

	switch (point->kind) {
	case STARTED:
		run_from(runner,
			 other != NULL ?
				 ahead_at(gains, other, deed, point->at) :
				 0,
			 point->at);
		break;
	case MET:
		meet(gains, point, deed);
		break;
	case BEGUN:
		begin_wait(gains, point, deed);
		break;
	case ENDED:
		runner->waker_ahead = ahead_at(gains, other, deed, point->at);
		break;
	default:
		end_wait(gains, point, deed);
		break;
	}
}

/* Whoever waits then for what another one is to do is as far as that is. */
static int64_t ahead_at_end(struct gains *gains,
			    const struct ptl_strand *strand,
			    const struct ptl_deed *deed)
{
	const struct gain_strand *runner = runner_of(gains, strand);
	unsigned int steps = 0;

	while (runner->waiting != NULL && steps++ < MAX_STILL &&
	       runner->waiting->other != NULL &&
	       runner->waiting->wait->woken > gains->at)
		runner = runner->waiting->other;
	return runner->waiting != NULL ?
		       ahead_behind(gains, runner, deed, gains->at) :
		       ahead_at(gains, runner, deed, gains->at);
}

static int64_t gain_of(struct gains *gains, const struct ptl_strand *last,
		       const struct ptl_deed *deed)
{
	struct gain_strand *runner = NULL;
	int64_t gain;

	while ((runner = ptl_hash_next(&gains->runners, runner)) != NULL)
		run_from(runner, 0, gains->at);
	for (size_t i = 0; i < gains->nr; i++)
		pass(gains, &gains->point[i], deed);
	gain = ahead_at_end(gains, last, deed);
	return gain < 0 ? 0 : gain > deed->time ? deed->time : gain;
}

static int compare_times(const void *left, const void *right)
{
	const struct ptl_deed *a = *(struct ptl_deed *const *)left;
	const struct ptl_deed *b = *(struct ptl_deed *const *)right;

	return (a->time < b->time) - (a->time > b->time);
}

/* Of as many deeds as there is time for, the longest first. */
static void find_all(struct gains *gains, struct ptl_hash *deeds,
		     const struct ptl_strand *last)
{
	size_t nr = 0, most = (size_t)(MAX_LOOKS / (gains->nr + 1));
	struct ptl_deed *deed = NULL, **sorted;

	sorted = ptl_alloc((deeds->nr + 1) * sizeof(struct ptl_deed *));
	while ((deed = ptl_hash_next(deeds, deed)) != NULL)
		sorted[nr++] = deed;
	qsort(sorted, nr, sizeof(struct ptl_deed *), compare_times);
	for (size_t i = 0; i < nr && i < most; i++) {
		sorted[i]->gain = gain_of(gains, last, sorted[i]);
		sorted[i]->is_gain_known = true;
	}
	free(sorted);
}

void ptl_gains_find(const struct ptl_strands *strands, struct ptl_hash *deeds,
		    const void *of, const struct ptl_strand *strand, int64_t at,
		    int64_t until)
{
	struct gains gains = {.at = at, .until = until};
	const struct ptl_strand *each = NULL;

	gains.runners.value_size = sizeof(struct gain_strand);
	while ((each = ptl_strands_next(strands, each)) != NULL)
		add_strand(&gains, deeds, of, each);
	if (gains.nr > 0)
		qsort(gains.point, gains.nr, sizeof(*gains.point),
		      compare_points);
	find_all(&gains, deeds, strand);
	ptl_hash_clear(&gains.runners);
	free(gains.point);
}
