/* SPDX-License-Identifier: MIT */
/* Patterns of names; see pattern.h. */
#include "preload/settings/pattern.h"

#include "core/sys/glob.h"
#include "core/sys/text.h"

bool ptl_pattern_fits(const char *pattern, const char *s)
{
	return ptl_glob_fits(pattern, ptl_strlen(pattern), s, ptl_strlen(s));
}

bool ptl_pattern_fits_library(const char *pattern, const char *library)
{
	char stem[256];
	size_t size = 0;

	if (ptl_pattern_fits(pattern, library))
		return true;
	while (library[size] && !ptl_strpre(library + size, ".so"))
		size++;
	ptl_strcopy(stem, PTL_MIN(size + 1, sizeof(stem)), library);
	return ptl_pattern_fits(pattern, stem);
}

const char *ptl_pattern_colon(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] != ':')
			continue;
		if (i + 1 == size || text[i + 1] != ':')
			return text + i;
		while (i + 1 < size && text[i + 1] == ':')
			i++;
	}
	return NULL;
}

static bool begins(const char *name, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (ptl_strpre(name, list[i]))
			return true;
	return false;
}

bool ptl_pattern_means_object(const char *object, const char *name,
			      bool is_program)
{
	static const char *const ours[] = {"libptrace.so", "libunwind"};
	static const char *const system[] = {"libc.so", "ld-linux", "ld-musl"};

	if (begins(name, ours, PTL_ARRAY_SIZE(ours)))
		return false;
	if (!object)
		return is_program;
	if (ptl_streq(object, "*"))
		return !begins(name, system, PTL_ARRAY_SIZE(system));
	return ptl_pattern_fits_library(object, name);
}

/* Longer names are no files'. */
#define OBJECT_SIZE 256

static bool word_means(const char *word, size_t size, const char *name,
		       bool is_program)
{
	const char *colon = ptl_pattern_colon(word, size);
	size_t object_size = colon ? (size_t)(colon - word) : 0;
	char object[OBJECT_SIZE];

	if (!colon)
		return ptl_pattern_means_object(NULL, name, is_program);
	if (object_size >= sizeof(object))
		return false;
	ptl_strcopy(object, object_size + 1, word);
	for (size_t i = 0; i < object_size; i++)
		if (object[i] == '/')
			return false;
	return ptl_pattern_means_object(object, name, is_program);
}

bool ptl_pattern_list_means_object(const char *list, const char *name,
				   bool is_program)
{
	while (*list) {
		size_t size = 0;

		while (list[size] && list[size] != ',')
			size++;
		if (size > 0 && word_means(list, size, name, is_program))
			return true;
		list += size + (list[size] == ',');
	}
	return false;
}

bool ptl_pattern_list_has_role(const char *list)
{
	static const char *const roles[] = {"=malloc", "=calloc", "=realloc",
					    "=aligned", "=free"};

	for (; *list; list++)
		for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
			if (ptl_strpre(list, roles[i]))
				return true;
	return false;
}

uint32_t ptl_pattern_distance(const char *a, const char *b)
{
	size_t size = ptl_strnlen(b, PTL_PATTERN_LETTERS);
	uint8_t row[PTL_PATTERN_LETTERS + 1];

	for (size_t j = 0; j <= size; j++)
		row[j] = (uint8_t)j;
	for (size_t i = 0; i <= PTL_PATTERN_LETTERS && a[i]; i++) {
		uint8_t diagonal = row[0];

		row[0] = (uint8_t)(i + 1);
		for (size_t j = 0; j < size; j++) {
			uint8_t above = row[j + 1], best;

			best = PTL_MIN(above, row[j]) + 1;
			diagonal += a[i] != b[j];
			row[j + 1] = PTL_MIN(best, diagonal);
			diagonal = above;
		}
	}
	return row[size];
}
