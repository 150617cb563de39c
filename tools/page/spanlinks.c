/* SPDX-License-Identifier: MIT */
/* Links between spans of the user; see spanlinks.h. */
#include "tools/page/spanlinks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/report/show/json.h"

/* Some 60 bytes each, before they are compressed. */
#define MOST 20000

/* Where a span is. */
struct spot {
	uint32_t process;
	pid_t tid;
	int64_t begin;
};

struct ptl_page_spanlink {
	struct spot from, to;
	const char *kind; /* interned */
};

static bool find(struct spot *spot, const struct ptl_step *step,
		 const char *field, uint64_t first)
{
	const struct ptl_spanplace *place =
		ptl_userspans_place(step->model->userspans,
				    (uint64_t)ptl_step_number(step, field, 0));

	if (place == NULL || place->thread->process == NULL)
		return false;
	*spot = (struct spot){
		.process = place->thread->process->number,
		.tid = place->thread->tid,
		.begin = (int64_t)(place->begin - first),
	};
	return true;
}

void ptl_spanlinks_learn(struct ptl_page_spanlinks *links,
			 const struct ptl_step *step, uint64_t first)
{
	const char *kind = ptl_step_words(step, "kind");
	struct ptl_page_spanlink link = {
		.kind = kind != NULL ? ptl_intern(kind, strlen(kind)) : "",
	};

	if (links->nr == MOST || !find(&link.from, step, "span", first) ||
	    !find(&link.to, step, "to", first))
		return;
	links->link = ptl_grow(links->link, links->nr, &links->room,
			       sizeof(*links->link));
	links->link[links->nr++] = link;
}

static void put_spot(struct ptl_out *out, const struct spot *spot)
{
	ptl_out_uint(out, spot->process);
	ptl_out_char(out, ',');
	ptl_out_int(out, spot->tid);
	ptl_out_char(out, ',');
	ptl_out_int(out, spot->begin);
	ptl_out_char(out, ',');
}

void ptl_spanlinks_json(const struct ptl_page_spanlinks *links,
			struct ptl_out *out)
{
	ptl_json_key(out, "spanLinks", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < links->nr; i++) {
		const struct ptl_page_spanlink *link = &links->link[i];

		ptl_out_str(out, i > 0 ? ",[" : "[");
		put_spot(out, &link->from);
		put_spot(out, &link->to);
		ptl_quote_json(out, link->kind, strlen(link->kind));
		ptl_out_char(out, ']');
	}
	ptl_out_char(out, ']');
}

void ptl_spanlinks_free(struct ptl_page_spanlinks *links)
{
	free(links->link);
	*links = (struct ptl_page_spanlinks){NULL};
}
