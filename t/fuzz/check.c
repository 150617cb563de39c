/* SPDX-License-Identifier: MIT */
/*
 * What output must be, written down a second time and strictly: UTF-8 that a
 * terminal shows as it is, and JSON as RFC 8259 has it.
 */
#include "t/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* The character at s; aborts if there is none.  Size: its bytes. */
static unsigned int character(const unsigned char *s, size_t left, size_t *size)
{
	static const unsigned int least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned int c = s[0];

	*size = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (*size == 0 || *size > left || c > 0xf4)
		abort();
	if (*size > 1)
		c &= 0x7fu >> *size;
	for (size_t i = 1; i < *size; i++) {
		if ((s[i] & 0xc0) != 0x80)
			abort();
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[*size] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		abort();
	return c;
}

/* Moves a terminal, turns its text around, or cannot be seen. */
static bool is_hidden(unsigned int c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

void fuzz_check_text(const struct fuzz_text *text)
{
	const unsigned char *s = (const unsigned char *)text->bytes;
	size_t left = text->size, size = 1;

	if (left && s[left - 1] != '\n')
		abort();
	for (; left; s += size, left -= size) {
		unsigned int c = character(s, left, &size);

		if (c != '\n' && is_hidden(c))
			abort();
	}
}

/* Each takes one value off the front of the text, which ends in a NUL. */
static const char *value(const char *s, int depth);

static const char *string(const char *s)
{
	if (*s++ != '"')
		abort();
	while (*s != '"') {
		if ((unsigned char)*s < 0x20)
			abort();
		if (*s++ != '\\')
			continue;
		if (*s == 'u') {
			if (strspn(s + 1, "0123456789abcdefABCDEF") < 4)
				abort();
			/* Half a pair says nothing to most parsers. */
			if ((s[1] == 'd' || s[1] == 'D') && s[2] >= '8' &&
			    s[2] != '9')
				abort();
			s += 4;
		} else if (*s == '\0' || !strchr("\"\\/bfnrt", *s)) {
			abort();
		}
		s++;
	}
	return s + 1;
}

static const char *digits(const char *s)
{
	size_t size = strspn(s, "0123456789");

	if (size == 0)
		abort();
	return s + size;
}

static const char *number(const char *s)
{
	s += *s == '-';
	s = *s == '0' ? s + 1 : digits(s);
	if (*s == '.')
		s = digits(s + 1);
	if (*s == 'e' || *s == 'E')
		s = digits(s + 1 + (s[1] == '+' || s[1] == '-'));
	return s;
}

static const char *members(const char *s, char end, int depth)
{
	if (depth > 8)
		abort();
	if (*++s == end)
		return s + 1;
	for (;; s++) {
		if (end == '}') {
			s = string(s);
			if (*s++ != ':')
				abort();
		}
		s = value(s, depth + 1);
		if (*s == end)
			return s + 1;
		if (*s != ',')
			abort();
	}
}

static const char *value(const char *s, int depth)
{
	static const char *const words[] = {"true", "false", "null"};

	if (*s == '{' || *s == '[')
		return members(s, *s == '{' ? '}' : ']', depth);
	if (*s == '"')
		return string(s);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strncmp(s, words[i], strlen(words[i])) == 0)
			return s + strlen(words[i]);
	return number(s);
}

void fuzz_check_json(const struct fuzz_text *text)
{
	const char *s = text->bytes;

	fuzz_check_text(text);
	while (*s) {
		if (*s != '{')
			abort();
		s = value(s, 0);
		if (*s++ != '\n')
			abort();
	}
	if (s != text->bytes + text->size)
		abort();
}
