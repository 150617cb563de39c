/* SPDX-License-Identifier: MIT */
/* What users declare of the data of their events; see fields.h. */
#include "core/api/fields.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static size_t word_size(const char *s)
{
	size_t size = 0;

	while (is_word(s[size]))
		size++;
	return size;
}

static bool is_type(char c)
{
	return c == 'i' || c == 'x' || c == 'f' || c == 's' || c == 'v' ||
	       c == 'b';
}

static bool is_same(const char *s, size_t size, const char *word)
{
	for (size_t i = 0; i < size; i++)
		if (s[i] != word[i])
			return false;
	return word[size] == '\0';
}

/* Gauges and counters are numbers, contexts have one value; what other words
 * mean is for tools. */
static bool may_be(char type, const char *word, size_t size)
{
	if (is_same(word, size, "gauge") || is_same(word, size, "counter"))
		return type == 'i' || type == 'f';
	return !is_same(word, size, "context") || (type != 'v' && type != 'b');
}

/* Moves past one field. */
static bool take(const char **fields)
{
	const char *s = *fields;
	size_t size = word_size(s);

	if (size == 0 || size >= PTL_FIELDS_NAME || s[size] != ':' ||
	    !is_type(s[size + 1]))
		return false;
	s += size + 2;
	if (*s == '.') {
		size = word_size(s + 1);
		if (size == 0 || !may_be(s[-1], s + 1, size))
			return false;
		s += 1 + size;
	}
	*fields = s;
	return true;
}

bool ptl_fields_valid(const char *fields)
{
	for (unsigned int nr = 0; nr < PTL_FIELDS_MAX; nr++) {
		if (!take(&fields))
			return false;
		if (!*fields)
			return true;
		if (*fields++ != ' ')
			return false;
	}
	return false;
}
