/* SPDX-License-Identifier: MIT */
/*
 * Our own versions of the functions that compilers call implicitly: libc's use
 * vector registers, which hold the program's arguments and results where we are
 * called, and programs may define their own.
 */
#include "core/base.h"

#include <string.h>

/* From this size on the processor's own copy instruction is faster. */
#define LONG 1024

#define WORD sizeof(uint64_t)

PTL_INLINE uint64_t load(const unsigned char *from)
{
	uint64_t word;

	__builtin_memcpy(&word, from, WORD);
	return word;
}

PTL_INLINE void store(unsigned char *to, uint64_t word)
{
	__builtin_memcpy(to, &word, WORD);
}

/* Upwards, as if byte by byte. */
static void copy_long(unsigned char *to, const unsigned char *from, size_t size)
{
#if defined(__x86_64__)
	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(size)
			 :
			 : "memory");
#else
	while (size--)
		*to++ = *from++;
#endif
}

/* Copies upwards by words: each word is read before its place is overwritten.
 */
static void copy_up(unsigned char *to, const unsigned char *from, size_t size)
{
	unsigned char *end;
	uint64_t last;

	if (PTL_UNLIKELY(size > LONG)) {
		copy_long(to, from, size);
		return;
	}
	if (size < WORD) {
		while (size--)
			*to++ = *from++;
		return;
	}
	last = load(from + size - WORD);
	for (end = to + size - WORD; to < end; to += WORD, from += WORD)
		store(to, load(from));
	store(end, last);
}

__attribute__((visibility("hidden"))) void *
memcpy(void *restrict to, const void *restrict from, size_t size)
{
	copy_up(to, from, size);
	return to;
}

__attribute__((visibility("hidden"))) void *memmove(void *to, const void *from,
						    size_t size)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	if ((uintptr_t)d - (uintptr_t)s >= size) {
		copy_up(d, s, size);
		return to;
	}
	for (; size >= WORD; size -= WORD)
		store(d + size - WORD, load(s + size - WORD));
	while (size--)
		d[size] = s[size];
	return to;
}

__attribute__((visibility("hidden"))) void *memset(void *to, int byte,
						   size_t size)
{
	unsigned char *d = to;

#if defined(__x86_64__)
	if (PTL_UNLIKELY(size > LONG)) {
		__asm__ volatile("rep stosb"
				 : "+D"(d), "+c"(size)
				 : "a"(byte)
				 : "memory");
		return to;
	}
#endif
	if (size >= WORD) {
		uint64_t word =
			(unsigned char)byte * UINT64_C(0x101010101010101);
		unsigned char *end = d + size - WORD;

		for (; d < end; d += WORD)
			store(d, word);
		store(end, word);
		return to;
	}
	while (size--)
		*d++ = (unsigned char)byte;
	return to;
}

__attribute__((visibility("hidden"))) int memcmp(const void *a, const void *b,
						 size_t size)
{
	const unsigned char *p = a, *q = b;

	for (; size >= WORD && load(p) == load(q); size -= WORD)
		p += WORD, q += WORD;
	for (; size > 0; size--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

__attribute__((visibility("hidden"))) size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}
