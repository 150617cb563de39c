/* SPDX-License-Identifier: MIT */
/* What processes have said of themselves; see tags.h. */
#include "tools/model/tags.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/hash.h"
#include "tools/lib/out.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"

/* A log may have longer ones than the library records: all of them fit into the
 * buffer of `show'. */
#define LONGEST 127

/* All of them, anew. */
static void show(struct ptl_tags *tags)
{
	static struct ptl_out text;

	text.used = 0;
	for (const struct ptl_tag *tag = tags->first; tag != NULL;
	     tag = tag->next) {
		ptl_out_str(&text, tag == tags->first ? " {" : " ");
		ptl_quote_plain(&text, tag->key, strlen(tag->key));
		ptl_out_char(&text, '=');
		if (ptl_quote_is_word(tag->value, strlen(tag->value)))
			ptl_out_str(&text, tag->value);
		else
			ptl_quote_text(&text, tag->value, strlen(tag->value));
	}
	if (text.used > 0)
		ptl_out_char(&text, '}');
	tags->shown = ptl_intern(text.buf, text.used);
}

/* Sets it, or, if the value is empty, takes it away. */
static void set(struct ptl_tags *tags, const char *key, const char *value)
{
	struct ptl_tag **at = &tags->first, *tag;
	size_t nr = 0;

	for (; *at != NULL && strcmp((*at)->key, key) != 0; nr++)
		at = &(*at)->next;
	tag = *at;
	if (tag == NULL && (*value == '\0' || nr == PTL_TAGS_MAX))
		return;
	if (*value == '\0') {
		*at = tag->next;
		free(tag);
		return;
	}
	if (tag == NULL)
		*at = tag = ptl_alloc(sizeof(*tag));
	tag->key = key;
	tag->value = value;
}

static const char *taken(const struct ptl_arg *arg)
{
	return ptl_intern(arg->bytes,
			  arg->size < LONGEST ? arg->size : LONGEST);
}

void ptl_tags_learn(struct ptl_tags *tags, const struct ptl_args *args)
{
	const struct ptl_arg *key = ptl_decode_find(args, "key");
	const struct ptl_arg *value = ptl_decode_find(args, "value");

	if (key == NULL || key->bytes == NULL || key->size == 0 ||
	    value == NULL || value->bytes == NULL)
		return;
	set(tags, taken(key), taken(value));
	show(tags);
}

void ptl_tags_free(struct ptl_tags *tags)
{
	while (tags->first != NULL) {
		struct ptl_tag *tag = tags->first;

		tags->first = tag->next;
		free(tag);
	}
}

const char *ptl_tags_shown(const struct ptl_tags *tags)
{
	return tags->shown != NULL ? tags->shown : "";
}
