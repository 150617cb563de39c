/* SPDX-License-Identifier: MIT */
/*
 * Strings by small numbers, in the order in which they came: 1, 2 ...  What is
 * kept has a limit; strings that come when it is reached have no number.
 */
#ifndef PTL_TOOLS_PAGE_TEXTS_H
#define PTL_TOOLS_PAGE_TEXTS_H

#include "tools/lib/out.h"
#include "tools/lib/hash.h"

struct ptl_texts {
	struct ptl_hash map; /* struct text, by their bytes */
	const struct ptl_page_text **text;
	size_t room, bytes, max_bytes;
	uint64_t nr_refused;
};

void ptl_texts_begin(struct ptl_texts *texts, size_t max_bytes);
void ptl_texts_free(struct ptl_texts *texts);

/* 0: there is no room for another one. */
uint32_t ptl_texts_number(struct ptl_texts *texts, const char *bytes,
			  size_t size);

/* The string of a number but 0; not null-terminated. */
const char *ptl_texts_bytes(const struct ptl_texts *texts, uint32_t number,
			    size_t *size);

/* An array in JSON; what number 0 stands for is its first element. */
void ptl_texts_json(const struct ptl_texts *texts, struct ptl_out *out);

#endif
