/* SPDX-License-Identifier: MIT */
/* Links between spans of the user, as arrows; see links.h. */
#include "tools/dump/export/links.h"

#include <string.h>

static bool find(const struct ptl_step *step, const char *field, bool is_left,
		 struct ptl_arrow_end *end)
{
	const struct ptl_spanplace *place =
		ptl_userspans_place(step->model->userspans,
				    (uint64_t)ptl_step_number(step, field, 0));

	if (place == NULL || place->kept == NULL)
		return false;
	*end = (struct ptl_arrow_end){
		.track = place->kept,
		.at = is_left && place->end != 0 ? place->end : place->begin,
		.name = place->name,
	};
	return true;
}

static void keep_track(const struct ptl_step *step, struct ptl_track *track)
{
	struct ptl_spanplace *place =
		ptl_userspans_place(step->model->userspans, step->span->number);

	if (place != NULL)
		place->kept = track;
}

bool ptl_links_take(struct ptl_tracks *tracks, struct ptl_track *track,
		    const struct ptl_step *step, struct ptl_arrow *link)
{
	const char *kind;

	if (step->kind->act == PTL_ACT_SPAN_BEGIN && step->span != NULL)
		keep_track(step, track);
	if (step->kind->act != PTL_ACT_SPAN_LINK)
		return false;
	kind = ptl_step_words(step, "kind");
	link->kind = kind != NULL ? kind : "";
	if (!find(step, "span", false, &link->to) ||
	    !find(step, "to", strcmp(link->kind, "follows") == 0, &link->from))
		return false;
	link->number = ptl_tracks_new_flow(tracks);
	return true;
}
