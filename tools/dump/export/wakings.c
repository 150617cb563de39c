/* SPDX-License-Identifier: MIT */
/* Who ended whose waiting; see wakings.h. */
#include "tools/dump/export/wakings.h"

#include "tools/lib/clock.h"

void ptl_wakings_begin(struct ptl_wakings *wakings)
{
	*wakings = (struct ptl_wakings){.strands = ptl_strands_new()};
}

void ptl_wakings_end(struct ptl_wakings *wakings)
{
	ptl_strands_free(wakings->strands);
}

void ptl_wakings_learn(struct ptl_wakings *wakings, struct ptl_track *track,
		       const struct ptl_step *step, bool is_shown)
{
	struct ptl_strand *strand;

	if (!wakings->is_begun)
		wakings->first =
			(int64_t)ptl_ns(&step->view->event->posix_timestamp) -
			step->now;
	wakings->is_begun = true;
	ptl_strands_learn(wakings->strands, step);
	strand = ptl_strands_of(wakings->strands, step);
	if (strand == NULL || !is_shown)
		return;
	strand->kept = track;
	if (strand->nr > 0 && strand->wait[strand->nr - 1]->begin == step->now)
		strand->wait[strand->nr - 1]->kept = track;
}

/* With the end of a thread or process its slice ends, too. */
static int64_t time_of_waker(const struct ptl_wait *wait)
{
	bool is_end = wait->told == wait->waker->end;

	/* What is told late was before. */
	return wait->told < wait->end ? wait->told - is_end : wait->woken - 1;
}

static int64_t time_of_wait(const struct ptl_wait *wait)
{
	return wait->woken < wait->end ? wait->woken : wait->end - 1;
}

bool ptl_wakings_next(const struct ptl_wakings *wakings,
		      struct ptl_tracks *tracks,
		      const struct ptl_strand **strand, size_t *nr,
		      struct ptl_waking *waking)
{
	const struct ptl_wait *wait = NULL;

	if (*strand == NULL)
		*strand = ptl_strands_next(wakings->strands, NULL);
	for (; *strand != NULL && wait == NULL;) {
		if (*nr < (*strand)->nr) {
			wait = (*strand)->wait[(*nr)++];
			if (wait->kept == NULL || wait->waker == NULL ||
			    wait->waker->kept == NULL)
				wait = NULL;
		} else {
			*strand = (*strand)->next;
			*nr = 0;
		}
	}
	if (wait == NULL)
		return false;
	*waking = (struct ptl_waking){
		.wait = wait,
		.from = wait->waker->kept,
		.to = wait->kept,
		.from_at = (uint64_t)(wakings->first + time_of_waker(wait)),
		.to_at = (uint64_t)(wakings->first + time_of_wait(wait)),
		.number = ptl_tracks_new_flow(tracks),
	};
	return true;
}
