/* SPDX-License-Identifier: MIT */
/* Strings by small numbers; see texts.h. */
#include "tools/page/texts.h"

#include <stdlib.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"

struct ptl_page_text {
	uint32_t number, size;
};

void ptl_texts_begin(struct ptl_texts *texts, size_t max_bytes)
{
	*texts = (struct ptl_texts){.max_bytes = max_bytes};
	texts->map.value_size = sizeof(struct ptl_page_text);
}

void ptl_texts_free(struct ptl_texts *texts)
{
	ptl_hash_clear(&texts->map);
	free(texts->text);
}

uint32_t ptl_texts_number(struct ptl_texts *texts, const char *bytes,
			  size_t size)
{
	struct ptl_page_text *text = ptl_hash_find(&texts->map, bytes, size);

	if (text != NULL)
		return text->number;
	if (texts->bytes + size > texts->max_bytes || size > UINT32_MAX) {
		texts->nr_refused++;
		return 0;
	}
	/* Short ones cost, too. */
	texts->bytes += size + 8;
	text = ptl_hash_get(&texts->map, bytes, size);
	texts->text = ptl_grow(texts->text, texts->map.nr - 1, &texts->room,
			       sizeof(*texts->text));
	texts->text[texts->map.nr - 1] = text;
	text->size = (uint32_t)size;
	return text->number = (uint32_t)texts->map.nr;
}

const char *ptl_texts_bytes(const struct ptl_texts *texts, uint32_t number,
			    size_t *size)
{
	const struct ptl_page_text *text = texts->text[number - 1];

	*size = text->size;
	return ptl_hash_key(&texts->map, text);
}

void ptl_texts_json(const struct ptl_texts *texts, struct ptl_out *out)
{
	ptl_out_str(out, "[\"\"");
	for (uint32_t number = 1; number <= texts->map.nr; number++) {
		size_t size;
		const char *bytes = ptl_texts_bytes(texts, number, &size);

		ptl_out_char(out, ',');
		ptl_quote_json(out, bytes, size);
	}
	ptl_out_char(out, ']');
}
