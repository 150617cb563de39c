/* SPDX-License-Identifier: MIT */
/* Patterns with *, ? and [...] as in a shell, where * and ? are also a slash.
 * Bounded: neither the pattern nor the text needs a null. */
#ifndef PTL_CORE_SYS_GLOB_H
#define PTL_CORE_SYS_GLOB_H

#include "core/base.h"

/* Matches a set [a-z] or [!a-z]; *p is after the bracket, and then after the
 * set.  Without a closing bracket it is no set. */
static inline bool ptl_glob_set(const char **p, const char *end, char c,
				bool *fits)
{
	const char *s = *p;
	bool negated = s < end && (*s == '!' || *s == '^'), found = false;

	s += negated;
	do {
		char from, to;

		if (s >= end)
			return false;
		from = to = *s;
		if (end - s > 2 && s[1] == '-' && s[2] != ']') {
			to = s[2];
			s += 2;
		}
		found |= c >= from && c <= to;
		s++;
	} while (s >= end || *s != ']');
	*p = s + 1;
	*fits = found != negated;
	return true;
}

/* Does the first element of the pattern match the character?  Moves past it. */
static inline bool ptl_glob_one(const char **pattern, const char *end, char c)
{
	const char *p = *pattern;
	bool fits;

	if (*p == '[') {
		*pattern = p + 1;
		if (ptl_glob_set(pattern, end, c, &fits))
			return fits;
	}
	*pattern = p + 1;
	return *p == '?' || *p == c;
}

/* Does the pattern match all of s? */
static inline bool ptl_glob_fits(const char *pattern, size_t pattern_size,
				 const char *s, size_t size)
{
	const char *const pattern_end = pattern + pattern_size;
	const char *const end = s + size;
	const char *star = NULL, *after = NULL;

	while (s < end) {
		if (pattern < pattern_end && *pattern == '*') {
			star = ++pattern;
			after = s;
		} else if (pattern < pattern_end &&
			   ptl_glob_one(&pattern, pattern_end, *s)) {
			s++;
		} else if (star) {
			/* The last star takes one more character. */
			pattern = star;
			s = ++after;
		} else {
			return false;
		}
	}
	while (pattern < pattern_end && *pattern == '*')
		pattern++;
	return pattern == pattern_end;
}

#endif
