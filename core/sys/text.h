/* SPDX-License-Identifier: MIT */
/*
 * Text without libc: the program may have its own getenv(), strlen() and so
 * on.  Bounded, allocation-free, async-signal-safe.
 */
#ifndef PTL_CORE_SYS_TEXT_H
#define PTL_CORE_SYS_TEXT_H

#include "core/base.h"

PTL_INLINE size_t ptl_strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* At most `max' bytes are looked at. */
PTL_INLINE size_t ptl_strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

PTL_INLINE bool ptl_streq(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Does s begin with the prefix? */
PTL_INLINE bool ptl_strpre(const char *s, const char *prefix)
{
	while (*prefix)
		if (*s++ != *prefix++)
			return false;
	return true;
}

/* Copies what fits, always null-terminated; returns the length copied. */
PTL_INLINE size_t ptl_strcopy(char *to, size_t size, const char *from)
{
	size_t n = 0;

	if (size == 0)
		return 0;
	/* Cppcheck follows a caller's literal beyond its null. */
	/* cppcheck-suppress arrayIndexOutOfBoundsCond */
	while (n + 1 < size && from[n]) {
		/* cppcheck-suppress arrayIndexOutOfBoundsCond */
		to[n] = from[n];
		n++;
	}
	to[n] = '\0';
	return n;
}

/* Digits of a number, base 10 or 16, null-terminated; buf holds 21 bytes. */
PTL_INLINE size_t ptl_utoa(char *buf, uint64_t value, unsigned int base)
{
	char tmp[20];
	size_t n = 0;

	do {
		tmp[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	for (size_t i = 0; i < n; i++)
		buf[i] = tmp[n - 1 - i];
	buf[n] = '\0';
	return n;
}

/* Reads digits; moves *s past them.  Overflow wraps. */
PTL_INLINE uint64_t ptl_atou(const char **s, unsigned int base)
{
	uint64_t value = 0;

	for (;; (*s)++) {
		char c = **s;
		unsigned int d;

		if (c >= '0' && c <= '9')
			d = (unsigned int)(c - '0');
		else if (c >= 'a' && c <= 'f')
			d = (unsigned int)(c - 'a') + 10;
		else
			return value;
		if (d >= base)
			return value;
		value = value * base + d;
	}
}

#endif
