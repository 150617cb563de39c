/* SPDX-License-Identifier: MIT */
/* Which events the user has chosen; see chosen.h. */
#include "tools/report/browse/chosen.h"

#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)

bool ptl_chosen_is_any(const struct ptl_chosen *chosen)
{
	return chosen->where[0] != '\0' || chosen->time[0] != '\0';
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " ")] == '\0';
}

const char *ptl_chosen_where(struct ptl_chosen *chosen, const char *text)
{
	static char wrong[256];
	struct ptl_where_error error;
	struct ptl_where *where = NULL;

	if (!is_blank(text)) {
		where = ptl_where_parse(text, &error);
		if (where == NULL) {
			snprintf(wrong, sizeof(wrong),
				 "at column %zu: expected %s", error.column,
				 error.expected);
			return wrong;
		}
	}
	chosen->filter.where = where;
	snprintf(chosen->where, sizeof(chosen->where), "%s",
		 where != NULL ? text : "");
	return NULL;
}

/* One of the two times, which is from text on: returns what is behind it. */
static const char *take_time(const char *text, struct ptl_filter_time *time,
			     char word[64])
{
	size_t size;

	text += strspn(text, " ");
	size = strcspn(text, " -");
	*time = (struct ptl_filter_time){0};
	if (size >= 64)
		return NULL;
	memcpy(word, text, size);
	word[size] = '\0';
	if (size > 0 && !ptl_filter_parse_time(time, word))
		return NULL;
	text += size;
	text += strspn(text, " ");
	return *text == '-' ? text + 1 : text;
}

const char *ptl_chosen_time(struct ptl_chosen *chosen, const char *text)
{
	struct ptl_filter_time since, until;
	char first[64], last[64];
	const char *rest = take_time(text, &since, first);

	rest = rest != NULL ? take_time(rest, &until, last) : NULL;
	if (rest == NULL || !is_blank(rest))
		return "a time is FROM-TO, in seconds as START(s) has them: "
		       "0.25-0.3";
	chosen->filter.since = since;
	chosen->filter.until = until;
	memcpy(chosen->since, first, sizeof(first));
	memcpy(chosen->until, last, sizeof(last));
	snprintf(chosen->time, sizeof(chosen->time), "%s",
		 is_blank(text) ? "" : text);
	return NULL;
}

void ptl_chosen_range(struct ptl_chosen *chosen, int64_t since, int64_t until)
{
	char text[128];

	since = since < 0 ? 0 : since;
	until = until < since ? since : until;
	snprintf(text, sizeof(text), "%lld.%09lld-%lld.%09lld",
		 (long long)(since / SECOND), (long long)(since % SECOND),
		 (long long)(until / SECOND), (long long)(until % SECOND));
	ptl_chosen_time(chosen, text);
}
