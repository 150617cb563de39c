/* SPDX-License-Identifier: MIT */
/* Bytes in memory; see bytes.h. */
#include "tools/dump/export/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"

unsigned char *ptl_bytes_room(struct ptl_bytes *bytes, size_t size)
{
	while (bytes->room - bytes->used < size)
		bytes->bytes =
			ptl_grow(bytes->bytes, bytes->room, &bytes->room, 1);
	return bytes->bytes + bytes->used;
}

void ptl_bytes_put(struct ptl_bytes *bytes, const void *from, size_t size)
{
	if (size == 0)
		return;
	memcpy(ptl_bytes_room(bytes, size), from, size);
	bytes->used += size;
}

void ptl_bytes_text(struct ptl_bytes *bytes, const char *text, size_t size)
{
	size_t valid = ptl_quote_valid(text, size);

	for (;;) {
		ptl_bytes_put(bytes, text, valid);
		if (valid == size)
			return;
		ptl_bytes_put(bytes, "\xef\xbf\xbd", 3);
		text += valid + 1;
		size -= valid + 1;
		valid = ptl_quote_valid(text, size);
	}
}

void ptl_bytes_free(struct ptl_bytes *bytes)
{
	free(bytes->bytes);
	*bytes = (struct ptl_bytes){0};
}
