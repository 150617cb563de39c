/* SPDX-License-Identifier: MIT */
#include "preload/libc/ldpreload.h"

#include "core/sys/text.h"

const char *ptl_ldpreload_name = "libptrace.so";

static bool is_separator(char c)
{
	return c == ':' || c == ' ';
}

/* The next word of an LD_PRELOAD value; its size, or 0 at the end. */
static size_t next_word(const char **list, const char **word)
{
	size_t size = 0;

	while (**list && is_separator(**list))
		(*list)++;
	*word = *list;
	while (**list && !is_separator(**list))
		(*list)++, size++;
	return size;
}

/* The size of a file's name up to ".so", if only a version is behind it. */
static size_t stem_of(const char *name, size_t size)
{
	size_t end = size;

	while (end > 0 && (name[end - 1] == '.' ||
			   (name[end - 1] >= '0' && name[end - 1] <= '9')))
		end--;
	return end > 2 && ptl_strpre(name + end - 3, ".so") ? end : size;
}

/* Any file of our name, of any version, counts as us: two of them in one
 * process would be worse. */
static bool is_us(const char *word, size_t size)
{
	size_t ours =
		stem_of(ptl_ldpreload_name, ptl_strlen(ptl_ldpreload_name));
	size_t base = size, same = 0;

	while (base > 0 && word[base - 1] != '/')
		base--;
	word += base;
	while (same < ours && word[same] == ptl_ldpreload_name[same])
		same++;
	return same == ours && stem_of(word, size - base) == ours;
}

bool ptl_ldpreload_is_anchored(const char *word, size_t size)
{
	bool has_slash = false;

	for (size_t i = 0; i < size; i++)
		has_slash |= word[i] == '/';
	return !has_slash || word[0] == '/' || word[0] == '$';
}

size_t ptl_ldpreload_us(const char *preload, const char **word)
{
	size_t size;

	if (!preload)
		return 0;
	while ((size = next_word(&preload, word)))
		if (is_us(*word, size))
			return size;
	return 0;
}

size_t ptl_ldpreload_other(char *to, size_t size, const char *library)
{
	static const char below[] = "/libptrace/32", file[] = "/libptrace.so.0";
	size_t end = ptl_strlen(library), length;

	while (end > 0 && library[end] != '/')
		end--;
	if (sizeof(void *) < 8) {
		if (end < sizeof(below) ||
		    !ptl_strpre(library + end - (sizeof(below) - 1), below))
			return 0;
		end -= sizeof(below) - 1;
	}
	if (!end || end + sizeof(below) + sizeof(file) > size)
		return 0;
	length = ptl_strcopy(to, end + 1, library);
	if (sizeof(void *) == 8)
		length += ptl_strcopy(to + length, sizeof(below), below);
	return length + ptl_strcopy(to + length, sizeof(file), file);
}

char *ptl_ldpreload_others(char *to, const char *list)
{
	const char *begin = to, *gap = list, *word;
	size_t size;

	for (; (size = next_word(&list, &word)); gap = list) {
		if (is_us(word, size))
			continue;
		if (to == begin)
			gap = word;
		while (gap < list)
			*to++ = *gap++;
	}
	return to;
}
