/* SPDX-License-Identifier: MIT */
/* Patterns of names; see pattern.h. */
#include "preload/settings/pattern.h"

#include "core/sys/text.h"

/* Matches a set [a-z] or [!a-z]; *p is after the bracket, and then after the
 * set.  Without a closing bracket it is no set. */
static bool fits_set(const char **p, char c, bool *fits)
{
	const char *s = *p;
	bool negated = *s == '!' || *s == '^', found = false;

	s += negated;
	do {
		char from = *s, to = from;

		if (!from)
			return false;
		if (s[1] == '-' && s[2] && s[2] != ']') {
			to = s[2];
			s += 2;
		}
		found |= c >= from && c <= to;
		s++;
	} while (*s != ']');
	*p = s + 1;
	*fits = found != negated;
	return true;
}

/* Does the first element of the pattern match the character?  Moves past it. */
static bool fits_one(const char **pattern, char c)
{
	const char *p = *pattern;
	bool fits;

	if (*p == '[') {
		*pattern = p + 1;
		if (fits_set(pattern, c, &fits))
			return fits;
	}
	*pattern = p + 1;
	return *p == '?' || *p == c;
}

bool ptl_pattern_fits(const char *pattern, const char *s)
{
	const char *star = NULL, *after = NULL;

	while (*s) {
		if (*pattern == '*') {
			star = ++pattern;
			after = s;
		} else if (*pattern && fits_one(&pattern, *s)) {
			s++;
		} else if (star) {
			/* The last star takes one more character. */
			pattern = star;
			s = ++after;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
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
