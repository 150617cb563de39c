/* SPDX-License-Identifier: MIT */
/* Reads the numbers of DWARF, from debugging and unwinding tables. */
#ifndef PTL_CORE_UNWIND_DWARF_H
#define PTL_CORE_UNWIND_DWARF_H

#include "core/base.h"

#include <string.h>

/* A range of bytes; reading past its end yields zeroes. */
struct ptl_dwarf {
	const unsigned char *at, *end;
};

PTL_INLINE bool ptl_dwarf_done(const struct ptl_dwarf *b)
{
	return b->at >= b->end;
}

PTL_INLINE uint64_t ptl_dwarf_take(struct ptl_dwarf *b, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(b->end - b->at) < size) {
		b->at = b->end;
		return 0;
	}
	memcpy(&value, b->at, size);
	b->at += size;
	return value;
}

PTL_INLINE int64_t ptl_dwarf_signed(struct ptl_dwarf *b, size_t size)
{
	unsigned int shift = 64 - 8 * (unsigned int)size;

	return (int64_t)(ptl_dwarf_take(b, size) << shift) >> shift;
}

PTL_INLINE uint64_t ptl_dwarf_uleb(struct ptl_dwarf *b)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = ptl_dwarf_take(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

PTL_INLINE int64_t ptl_dwarf_sleb(struct ptl_dwarf *b)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = ptl_dwarf_take(b, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

#endif
