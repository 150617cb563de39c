/* SPDX-License-Identifier: MIT */
#include "preload/hook/glob.h"

#include "core/sys/text.h"

#include "preload/settings/list.h"
#include "preload/settings/pattern.h"

#define TEXT_SIZE 8192

static struct ptl_glob globs[PTL_GLOBS_MAX] PTL_BULK;
static size_t nr_globs;
/* Copied, since the environment is the program's and may change. */
static char text[TEXT_SIZE] PTL_BULK;
static size_t text_size;

static const char *keep(const char *s, size_t size)
{
	char *copy = text + text_size;

	if (size >= TEXT_SIZE - text_size)
		return NULL;
	ptl_strcopy(copy, size + 1, s);
	text_size += size + 1;
	return copy;
}

static void add(const char *s, size_t size, bool returns)
{
	struct ptl_glob *glob = &globs[nr_globs];
	size_t colon = 0;

	while (colon < size && s[colon] != ':')
		colon++;
	if (nr_globs == PTL_GLOBS_MAX)
		return;
	*glob = (struct ptl_glob){.returns = returns};
	glob->text = glob->name = keep(s, size);
	if (glob->text && colon < size) {
		glob->library = keep(s, colon);
		glob->name = glob->text + colon + 1;
	}
	if (glob->text && (colon == size || glob->library))
		nr_globs++;
}

void ptl_globs_add(const char *list, bool returns)
{
	const char *word;
	size_t size;

	while (ptl_list_next(&list, &word, &size))
		if (size)
			add(word, size, returns);
}

bool ptl_globs_are(const char *list, bool returns, size_t *nr)
{
	const char *word;
	size_t size;

	while (ptl_list_next(&list, &word, &size)) {
		const struct ptl_glob *glob = &globs[*nr];

		if (size == 0)
			continue;
		if (*nr == nr_globs || glob->returns != returns ||
		    ptl_strlen(glob->text) != size ||
		    !ptl_strpre(word, glob->text))
			return false;
		++*nr;
	}
	return true;
}

bool ptl_globs_end(size_t nr)
{
	return nr == nr_globs;
}

struct ptl_glob *ptl_globs(size_t *nr)
{
	*nr = nr_globs;
	return globs;
}

bool ptl_glob_is_closer(struct ptl_glob *glob, const char *name)
{
	uint32_t far = ptl_pattern_distance(glob->name, name);

	if (ptl_pattern_fits(glob->name, name))
		far = 0; /* in another library */
	/* If more than a third of the letters differ, the names are not alike.
	 */
	if (far > ptl_strnlen(glob->name, PTL_PATTERN_LETTERS) / 3 ||
	    (glob->near[0] && far >= glob->distance))
		return false;
	glob->distance = far;
	return true;
}

void ptl_glob_set_near(struct ptl_glob *glob, const char *library,
		       const char *name)
{
	size_t size = ptl_strcopy(glob->near, PTL_GLOB_SIZE / 2, library);

	glob->near[size++] = ':';
	ptl_strcopy(glob->near + size, PTL_GLOB_SIZE - size, name);
}
