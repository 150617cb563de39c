/* SPDX-License-Identifier: MIT */
/* The time between two events; see part.h. */
#include "tools/report/part.h"

#include <stdio.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/model.h"

/* What names of events, and globs of them, are made of. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-#/*?";

static struct ptl_where *named(const char *name, struct ptl_where_error *error)
{
	char text[300];

	snprintf(text, sizeof(text), "name ~ \"%.280s\"", name);
	return ptl_where_parse(text, error);
}

bool ptl_report_part_parse(struct ptl_part_end *end, const char *text,
			   struct ptl_where_error *error)
{
	*end = (struct ptl_part_end){.text = text};
	if (ptl_filter_parse_time(&end->time, text))
		return true;
	end->time.is_set = false;
	*error = (struct ptl_where_error){1, PTL_FILTER_TIMES};
	if (strchr("0123456789@+.", *text) != NULL)
		return false;
	if (text[strspn(text, letters)] == '\0')
		end->where = named(text, error);
	else
		end->where = ptl_where_parse(text, error);
	return end->where != NULL;
}

static void set_time(struct ptl_filter_time *time,
		     const struct ptl_source *source)
{
	*time = (struct ptl_filter_time){.is_set = true,
					 .time = source->event.posix_timestamp};
}

/* The first that the filter wants, behind what was read. */
static bool find(struct ptl_merge *merge, struct ptl_model *model,
		 struct ptl_filter *filter, const struct ptl_part_end *end,
		 struct ptl_filter_time *time)
{
	struct ptl_source *source;
	struct ptl_step step;

	filter->where = end->where;
	while (end->where != NULL && (source = ptl_merge_next(merge)) != NULL) {
		if (filter->first == 0)
			ptl_filter_begin(filter,
					 &source->event.posix_timestamp);
		if (!ptl_model_event(model, source, filter, &step))
			continue;
		set_time(time, source);
		return true;
	}
	return end->where == NULL;
}

/* With --diff there is more than one log: which of them is it? */
static void fail(const struct ptl_merge *merge, const char *option,
		 const char *text, const char *when)
{
	ptl_say("--%s: no event of %s%s fits '%s'%s", option,
		merge->source[0].path,
		merge->nr_sources > 1 ? " and the others" : "", text, when);
}

static bool find_both(const struct ptl_part *part, struct ptl_merge *merge,
		      struct ptl_filter *filter)
{
	/* Only what the other one leaves. */
	struct ptl_filter wanted = *filter;
	struct ptl_model model;
	bool has_found = false;

	ptl_model_begin(&model, merge, true);
	if (!find(merge, &model, &wanted, &part->since, &filter->since))
		fail(merge, "since", part->since.text, "");
	else if (!find(merge, &model, &wanted, &part->until, &filter->until))
		fail(merge, "until", part->until.text, " then");
	else
		has_found = true;
	ptl_model_free(&model);
	return has_found;
}

bool ptl_report_part_set(const struct ptl_part *part,
			 const struct ptl_merge *merge,
			 struct ptl_filter *filter)
{
	struct ptl_merge again;
	bool has_found;

	filter->since = part->since.time;
	filter->until = part->until.time;
	if (part->since.where == NULL && part->until.where == NULL)
		return true;
	if (!ptl_merge_again(&again, merge, SIZE_MAX)) {
		ptl_say("--since and --until: the logs cannot be read twice, "
			"which it takes to find events");
		return false;
	}
	has_found = find_both(part, &again, filter);
	ptl_merge_end_again(&again);
	return has_found;
}
