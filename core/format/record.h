/* SPDX-License-Identifier: MIT */
/*
 * Records put into words and taken out of them again; the picture is in
 * layout.h.  Decoding trusts nothing: a size is checked against what is there.
 */
#ifndef PTL_CORE_FORMAT_RECORD_H
#define PTL_CORE_FORMAT_RECORD_H

#include "core/format/layout.h"

#define PTL_TIME_MASK ((UINT64_C(1) << PTL_RECORD_TIME_BITS) - 1)
#define PTL_ADDR_MASK ((UINT64_C(1) << PTL_RECORD_ADDR_BITS) - 1)
#define PTL_EXT_SIZE_MASK ((UINT64_C(1) << PTL_RECORD_EXT_SIZE_BITS) - 1)

PTL_INLINE size_t ptl_align8(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

PTL_INLINE bool ptl_record_wide(uint32_t id)
{
	return id - PTL_ID_SHORT < PTL_ID_LIMIT - PTL_ID_SHORT;
}

/* Does a record of this type, data size and address need the third word? */
PTL_INLINE bool ptl_record_extended(uint32_t id, size_t data_size,
				    uint64_t addr)
{
	return data_size > PTL_RECORD_SIZE_MAX || addr > PTL_ADDR_MASK ||
	       ptl_record_wide(id);
}

/* What stands for an id in the first word. */
PTL_INLINE uint64_t ptl_record_id_bits(uint32_t id)
{
	return (uint64_t)((ptl_record_wide(id) ? PTL_ID_WIDE : id) &
			  PTL_RECORD_ID_MASK)
	       << PTL_RECORD_ID_SHIFT;
}

/* Bytes of a record, header and padding included. */
PTL_INLINE size_t ptl_record_bytes(size_t data_size, bool extended)
{
	return ptl_align8(
		(extended ? PTL_RECORD_HEADER_EXT : PTL_RECORD_HEADER) +
		data_size);
}

/*
 * A pending record has no time yet.  An extended one, whose third word is not
 * there yet either, has the upper bits of its size in that place: so it can
 * be stepped over by its first word alone.
 */
PTL_INLINE uint64_t ptl_record_word0(uint64_t time, uint32_t id, uint32_t flags,
				     size_t data_size)
{
	uint64_t size = data_size & PTL_EXT_SIZE_MASK;

	if (PTL_UNLIKELY(flags & PTL_RECORD_EXTENDED)) {
		time = flags & PTL_RECORD_COMMITTED ? time : size >> 16;
		size &= flags & PTL_RECORD_COMMITTED ? 0 : PTL_RECORD_SIZE_MAX;
		size |= ptl_record_wide(id) ? id : 0;
	}
	return time << 32 | flags | ptl_record_id_bits(id) | size;
}

PTL_INLINE uint64_t ptl_record_word1(uint64_t time, uint64_t addr)
{
	return (time >> 32) << PTL_RECORD_ADDR_BITS | (addr & PTL_ADDR_MASK);
}

PTL_INLINE uint64_t ptl_record_word2(size_t data_size, uint64_t addr)
{
	return (addr >> PTL_RECORD_ADDR_BITS) << PTL_RECORD_EXT_SIZE_BITS |
	       (data_size & PTL_EXT_SIZE_MASK);
}

/*
 * Copies the data of a record, whose place is padded by zeroes.  Most are a
 * few words: a call of memcpy() costs more than they do.
 */
PTL_INLINE void ptl_record_copy(unsigned char *to, const unsigned char *from,
				size_t size)
{
	uint64_t word;

	if (PTL_UNLIKELY(size > 64)) {
		word = 0;
		__builtin_memcpy(to + ptl_align8(size) - 8, &word, 8);
		__builtin_memcpy(to, from, size);
		return;
	}
	for (; size >= 8; size -= 8, to += 8, from += 8) {
		__builtin_memcpy(&word, from, 8);
		__builtin_memcpy(to, &word, 8);
	}
	if (size == 0)
		return;
	for (word = 0; size > 0; size--)
		word = word << 8 | from[size - 1];
	__builtin_memcpy(to, &word, 8);
}

/*
 * Of a chunk: nothing is written yet at `end', with `left' bytes up to the end
 * of the chunk.  Before the record that ends there is begun.
 */
PTL_INLINE void ptl_record_bound(void *end, size_t left)
{
	if (left)
		__atomic_store_n((uint64_t *)end, 0, __ATOMIC_RELAXED);
}

/* A record that is going to be of that size, with a time it is not before. */
PTL_INLINE void ptl_record_begin(void *to, uint64_t now, uint32_t flags,
				 size_t size)
{
	/* Who steps over it finds its end bounded.
	 * Pairs with ptl_record_parse(). */
	__atomic_store_n((uint64_t *)to,
			 ptl_record_word0(now, PTL_ID_PENDING,
					  flags & PTL_RECORD_EXTENDED, size),
			 __ATOMIC_RELEASE);
	PTL_HANDLER_FENCE();
}

/*
 * Writes a record.  Its first word has the size before anything else is stored,
 * so that the record of a writer that dies here is stepped over whole; stored
 * again at last, by release, it makes the record readable.
 */
PTL_INLINE void ptl_record_write(void *to, uint64_t now, uint32_t id,
				 uint32_t flags, const void *data, size_t size,
				 uint64_t addr)
{
	uint64_t *word = to;
	uint64_t *body = word + 2;

	ptl_record_begin(to, now, flags, size);
	word[1] = ptl_record_word1(now, addr);
	if (PTL_UNLIKELY(flags & PTL_RECORD_EXTENDED)) {
		word[2] = ptl_record_word2(size, addr);
		body++;
	}
	ptl_record_copy((unsigned char *)body, data, size);
	/* Pairs with ptl_record_parse(). */
	__atomic_store_n(
		word,
		ptl_record_word0(now, id, flags | PTL_RECORD_COMMITTED, size),
		__ATOMIC_RELEASE);
}

/*
 * A record of nothing, of so many bytes, with its header: of a place that
 * nobody else will write to.
 */
PTL_INLINE void ptl_record_pad(void *to, size_t bytes)
{
	bool extended = bytes - PTL_RECORD_HEADER > PTL_RECORD_SIZE_MAX;
	uint32_t flags = extended ? PTL_RECORD_EXTENDED : 0;
	size_t size =
		bytes - (extended ? PTL_RECORD_HEADER_EXT : PTL_RECORD_HEADER);
	uint64_t *word = to;

	ptl_record_begin(to, 0, flags, size);
	word[1] = 0;
	if (extended)
		word[2] = ptl_record_word2(size, 0);
	/* Pairs with ptl_record_parse(). */
	__atomic_store_n(word,
			 ptl_record_word0(0, PTL_ID_PAD,
					  flags | PTL_RECORD_COMMITTED, size),
			 __ATOMIC_RELEASE);
}

/* Bytes of a stack record of so many addresses; 0 of none. */
PTL_INLINE size_t ptl_record_stack_bytes(size_t nr)
{
	return nr ? ptl_record_bytes(nr * sizeof(uint64_t), false) : 0;
}

/* The first step of ptl_record_write_stacked(): pending, as one. */
PTL_INLINE void ptl_record_begin_stacked(void *to, size_t nr, uint64_t now,
					 uint32_t flags, size_t size)
{
	size_t all = ptl_record_stack_bytes(nr) +
		     ptl_record_bytes(size, flags & PTL_RECORD_EXTENDED);

	if (nr == 0)
		ptl_record_begin(to, now, flags, size);
	else if (all - PTL_RECORD_HEADER > PTL_RECORD_SIZE_MAX)
		ptl_record_begin(to, now, PTL_RECORD_EXTENDED,
				 all - PTL_RECORD_HEADER_EXT);
	else
		ptl_record_begin(to, now, 0, all - PTL_RECORD_HEADER);
}

/*
 * Writes the record of a stack, if nr is not 0, and that of its event behind
 * it.  While the first is pending it covers both; stored again, by release, it
 * makes both readable.
 */
PTL_INLINE void ptl_record_write_stacked(void *to, const uint64_t *stack,
					 size_t nr, uint64_t now, uint32_t id,
					 uint32_t flags, const void *data,
					 size_t size, uint64_t addr)
{
	uint64_t *word = to;

	if (nr == 0) {
		ptl_record_write(to, now, id, flags, data, size, addr);
		return;
	}
	ptl_record_begin_stacked(to, nr, now, flags, size);
	word[1] = ptl_record_word1(now, 0);
	__builtin_memcpy(word + 2, stack, nr * sizeof(*stack));
	ptl_record_write((unsigned char *)to + ptl_record_stack_bytes(nr), now,
			 id, flags, data, size, addr);
	/* Pairs with ptl_record_parse(). */
	__atomic_store_n(word,
			 ptl_record_word0(now, PTL_ID_STACK,
					  PTL_RECORD_COMMITTED,
					  nr * sizeof(*stack)),
			 __ATOMIC_RELEASE);
}

/* The id in a first word, which may be PTL_ID_WIDE. */
PTL_INLINE uint32_t ptl_record_id(uint64_t word0)
{
	return (uint32_t)((int32_t)((uint32_t)word0 << 3) >>
			  (PTL_RECORD_ID_SHIFT + 3));
}

struct ptl_record {
	uint32_t id; /* or PTL_ID_LOST ... PTL_ID_PENDING */
	bool committed;
	bool truncated;
	bool extended;
	uint64_t time; /* low 48 bits of the counter */
	uint64_t addr;
	const void *data;
	size_t data_size;
	size_t bytes;  /* to the next record; never 0 */
	size_t before; /* of the stack record that belongs to it; by a cursor */
};

/*
 * Takes apart what stands at p, of which `avail' bytes (a multiple of 8) are
 * there.  Returns false if there is no word at all or the record does not
 * fit; a zero word gives an uncommitted PTL_ID_PAD of 8 bytes.
 */
PTL_INLINE bool ptl_record_parse(const void *p, size_t avail,
				 struct ptl_record *rec)
{
	const uint64_t *word = p;
	uint64_t w0;
	bool extended;

	if (avail < 8)
		return false;
	/* Of a committed record all bytes are there.  Pairs with
	 * ptl_record_write() and ptl_fastpath_record(). */
	w0 = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	if (w0 == 0) {
		*rec = (struct ptl_record){.id = PTL_ID_PAD, .bytes = 8};
		return true;
	}
	extended = w0 & PTL_RECORD_EXTENDED;
	rec->extended = extended;
	rec->id = ptl_record_id(w0);
	rec->committed = w0 & PTL_RECORD_COMMITTED;
	rec->truncated = w0 & PTL_RECORD_TRUNCATED;
	rec->data_size = w0 & PTL_RECORD_SIZE_MAX;
	if (avail < (extended ? PTL_RECORD_HEADER_EXT : PTL_RECORD_HEADER))
		return false;
	rec->time = w0 >> 32 | (word[1] >> PTL_RECORD_ADDR_BITS) << 32;
	rec->addr = word[1] & PTL_ADDR_MASK;
	rec->data = word + 2;
	if (extended && !rec->committed) {
		rec->data_size |= w0 >> 32 << 16;
		rec->data = word + 3;
	} else if (extended) {
		/* Once: a peer that is hostile could change it after the
		 * check. */
		uint64_t w2 = __atomic_load_n(&word[2], __ATOMIC_RELAXED);

		rec->data_size = w2 & PTL_EXT_SIZE_MASK;
		rec->addr |= (w2 >> PTL_RECORD_EXT_SIZE_BITS)
			     << PTL_RECORD_ADDR_BITS;
		rec->data = word + 3;
		if (rec->id == PTL_ID_WIDE) {
			rec->id = w0 & PTL_RECORD_SIZE_MAX;
			if (!ptl_record_wide(rec->id))
				rec->id = PTL_ID_PAD;
		}
	}
	if (rec->data_size > avail)
		return false;
	rec->bytes = ptl_record_bytes(rec->data_size, extended);
	return rec->bytes <= avail;
}

/*
 * ptl_record_parse() of most records: committed, of two words and its data.
 * False: it is another, or does not fit; then that one tells which.
 */
PTL_INLINE bool ptl_record_parse_usual(const void *p, size_t avail,
				       struct ptl_record *rec)
{
	const uint64_t *word = p;
	uint64_t w0;

	if (avail < PTL_RECORD_HEADER)
		return false;
	/* Of a committed record all bytes are there.  Pairs with
	 * ptl_record_write() and ptl_fastpath_record(). */
	w0 = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	*rec = (struct ptl_record){
		.id = ptl_record_id(w0),
		.committed = true,
		.truncated = w0 & PTL_RECORD_TRUNCATED,
		.time = w0 >> 32 | (word[1] >> PTL_RECORD_ADDR_BITS) << 32,
		.addr = word[1] & PTL_ADDR_MASK,
		.data = word + 2,
		.data_size = w0 & PTL_RECORD_SIZE_MAX,
		.bytes = ptl_record_bytes(w0 & PTL_RECORD_SIZE_MAX, false),
	};
	return (w0 & (PTL_RECORD_COMMITTED | PTL_RECORD_EXTENDED)) ==
		       PTL_RECORD_COMMITTED &&
	       rec->bytes <= avail;
}

/* Was it a zero word? */
PTL_INLINE bool ptl_record_is_none(const struct ptl_record *rec)
{
	return rec->bytes < PTL_RECORD_HEADER;
}

/* In a chunk, where nothing is behind a zero word: takes apart the next record,
 * if there is one. */
PTL_INLINE bool ptl_record_next(const void *p, size_t avail,
				struct ptl_record *rec)
{
	return ptl_record_parse(p, avail, rec) && !ptl_record_is_none(rec);
}

/*
 * Copies the addresses of a stack record that was parsed; room for
 * PTL_STACK_MAX.  Returns how many.
 */
PTL_INLINE size_t ptl_record_stack(const struct ptl_record *rec, uint64_t *to)
{
	size_t nr = PTL_MIN(rec->data_size / sizeof(*to), PTL_STACK_MAX);

	__builtin_memcpy(to, rec->data, nr * sizeof(*to));
	return nr;
}

/*
 * Takes an event that was parsed, so that no other thread can: gives its record
 * another id.  False: another was faster.  What was copied of it before is
 * good.
 */
PTL_INLINE bool ptl_record_take(uint64_t *word, const struct ptl_record *rec,
				uint32_t id)
{
	const uint64_t mask = (uint64_t)PTL_RECORD_ID_MASK
			      << PTL_RECORD_ID_SHIFT;
	uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);

	/* Pairs with itself: of a reader and a writer one wins. */
	return old & PTL_RECORD_COMMITTED &&
	       old >> 32 == (rec->time & UINT32_MAX) &&
	       (old & mask) == ptl_record_id_bits(rec->id) &&
	       __atomic_compare_exchange_n(
		       word, &old, (old & ~mask) | ptl_record_id_bits(id),
		       false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Is the event a call, whose data end with when it began? */
PTL_INLINE bool ptl_record_is_call(uint32_t id)
{
	return id - PTL_ID_FIRST_CALL <= PTL_ID_LAST_CALL - PTL_ID_FIRST_CALL ||
	       id - PTL_ID_FIRST_EXIT <= PTL_ID_LAST_EXIT - PTL_ID_FIRST_EXIT;
}

/* Is it a call of libc, or a user event?  Of those none says what others mean:
 * of processes, threads, modules, functions, and calls of these. */
PTL_INLINE bool ptl_record_is_plain(uint32_t id)
{
	return id - PTL_ID_FIRST_CALL <= PTL_ID_LAST_CALL - PTL_ID_FIRST_CALL ||
	       id >= PTL_ID_FIRST_USER;
}

/*
 * When a call began, from the last of its data: not after it was recorded, and
 * not before `origin', when the stream was made.  0: it is not known.
 */
PTL_INLINE uint64_t ptl_record_since(const void *data, size_t size,
				     uint64_t counter, uint64_t origin)
{
	uint64_t since;

	if (size < PTL_RECORD_BEGIN)
		return 0;
	__builtin_memcpy(&since, (const char *)data + size - PTL_RECORD_BEGIN,
			 sizeof(since));
	return since >= origin && since <= counter ? since : 0;
}

/*
 * A call is over before its thread finds room to record it.  What that takes is
 * not to be counted as its duration: it is told as if it had begun later.
 */
PTL_INLINE void ptl_record_postpone(uint32_t id, const void *data, size_t size,
				    uint64_t by)
{
	uint64_t since;
	void *at;

	if (!by || id > PTL_ID_LAST_CALL || !ptl_record_is_call(id) ||
	    size < PTL_RECORD_BEGIN)
		return;
	/* The place is the wrapper's, and ours to change: see ptl_core_call().
	 */
	at = (void *)((uintptr_t)data + size - PTL_RECORD_BEGIN);
	__builtin_memcpy(&since, at, sizeof(since));
	since += since ? by : 0;
	__builtin_memcpy(at, &since, sizeof(since));
}

/* The whole counter of a record from its span's, which is not later by 2^47. */
PTL_INLINE uint64_t ptl_record_counter(uint64_t time, uint64_t span_counter)
{
	const unsigned int shift = 64 - PTL_RECORD_TIME_BITS;
	/* Nested records may be a little older than their span: sign-extend. */
	int64_t delta = (int64_t)((time - span_counter) << shift) >> shift;

	return span_counter + (uint64_t)delta;
}

#endif
