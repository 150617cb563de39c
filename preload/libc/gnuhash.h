/* SPDX-License-Identifier: MIT */
/*
 * DT_GNU_HASH of a loaded object: a filter that rejects most names that the
 * object does not define; then buckets, each the index of its first symbol; and
 * after them a hash for each symbol, whose lowest bit is set in the last one of
 * a bucket.
 */
#ifndef PTL_PRELOAD_LIBC_GNUHASH_H
#define PTL_PRELOAD_LIBC_GNUHASH_H

#include "core/base.h"

#include <link.h>

/* The head of the table. */
enum { PTL_GNU_BUCKETS, PTL_GNU_FIRST, PTL_GNU_WORDS, PTL_GNU_SHIFT };

PTL_INLINE uint32_t ptl_gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

PTL_INLINE const ElfW(Addr) * ptl_gnu_filter(const uint32_t *table)
{
	return (const void *)(table + 4);
}

PTL_INLINE const uint32_t *ptl_gnu_buckets(const uint32_t *table)
{
	return (const void *)(ptl_gnu_filter(table) + table[PTL_GNU_WORDS]);
}

/* The hash stored for symbol i. */
PTL_INLINE uint32_t ptl_gnu_chained(const uint32_t *table, uint32_t i)
{
	const uint32_t *chain = ptl_gnu_buckets(table) + table[PTL_GNU_BUCKETS];

	return chain[i - table[PTL_GNU_FIRST]];
}

/* The first symbol with that hash, from index i of its bucket on; 0: none. */
PTL_INLINE uint32_t ptl_gnu_from(const uint32_t *table, uint32_t hash,
				 uint32_t i)
{
	for (;; i++) {
		uint32_t there = ptl_gnu_chained(table, i);

		if ((there | 1) == (hash | 1))
			return i;
		if (there & 1)
			return 0;
	}
}

/* The next one after a symbol that was found. */
PTL_INLINE uint32_t ptl_gnu_next(const uint32_t *table, uint32_t hash,
				 uint32_t i)
{
	return ptl_gnu_chained(table, i) & 1 ? 0 :
					       ptl_gnu_from(table, hash, i + 1);
}

PTL_INLINE uint32_t ptl_gnu_first(const uint32_t *table, uint32_t hash)
{
	const unsigned int bits = 8 * sizeof(ElfW(Addr));
	ElfW(Addr) word;
	uint32_t i;

	if (!table[PTL_GNU_BUCKETS])
		return 0;
	word = ptl_gnu_filter(table)[hash / bits & (table[PTL_GNU_WORDS] - 1)];
	if (!(word >> hash % bits &
	      word >> (hash >> table[PTL_GNU_SHIFT]) % bits & 1))
		return 0;
	i = ptl_gnu_buckets(table)[hash % table[PTL_GNU_BUCKETS]];
	return i < table[PTL_GNU_FIRST] ? 0 : ptl_gnu_from(table, hash, i);
}

#endif
