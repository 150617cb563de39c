/* SPDX-License-Identifier: MIT */
/* Lines that are kept; see lines.h. */
#include "tools/report/browse/lines.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/report/show/screen.h"

static struct ptl_browse_lines *taking;

static void take(const char *bytes, size_t size)
{
	while (taking->room - taking->size < size + 1)
		taking->bytes =
			ptl_grow(taking->bytes, taking->room, &taking->room, 1);
	memcpy(taking->bytes + taking->size, bytes, size);
	taking->size += size;
	taking->bytes[taking->size] = '\0';
}

void ptl_lines_begin(struct ptl_browse_lines *lines, size_t width)
{
	lines->size = 0;
	lines->nr = 0;
	taking = lines;
	ptl_screen_open_part(width, take);
}

static void begin_at(struct ptl_browse_lines *lines, size_t at)
{
	lines->at = ptl_grow(lines->at, lines->nr, &lines->at_room,
			     sizeof(*lines->at));
	lines->at[lines->nr] = at;
}

void ptl_lines_end(struct ptl_browse_lines *lines)
{
	size_t at = 0;

	ptl_screen_close();
	begin_at(lines, 0);
	while (at < lines->size) {
		const char *end =
			memchr(lines->bytes + at, '\n', lines->size - at);

		at = end != NULL ? (size_t)(end - lines->bytes) + 1 :
				   lines->size;
		lines->nr++;
		begin_at(lines, at);
	}
}

void ptl_lines_free(struct ptl_browse_lines *lines)
{
	free(lines->bytes);
	free(lines->at);
	*lines = (struct ptl_browse_lines){0};
}

const char *ptl_lines_get(const struct ptl_browse_lines *lines, size_t i,
			  size_t *size)
{
	*size = lines->at[i + 1] - lines->at[i];
	if (*size > 0 && lines->bytes[lines->at[i + 1] - 1] == '\n')
		--*size;
	return lines->bytes + lines->at[i];
}

bool ptl_lines_has(const struct ptl_browse_lines *lines, size_t i,
		   const char *words)
{
	size_t size;
	const char *line = ptl_lines_get(lines, i, &size);
	char *copy = strndup(line, size);
	bool has = copy != NULL && strcasestr(copy, words) != NULL;

	free(copy);
	return has;
}
