/* SPDX-License-Identifier: MIT */
/*
 * The arena of a file (core/format/patches.h) while it is made: pieces of code
 * one behind the other, what in them depends on where the arena is, and the
 * words that they use.
 */
#ifndef PTL_TOOLS_PLAN_PIECES_H
#define PTL_TOOLS_PLAN_PIECES_H

#include <string.h>

#include "core/format/patches.h"
#include "tools/plan/plan.h"

struct ptl_buffer {
	unsigned char *bytes;
	size_t nr, room;
};

/* Makes room for so many bytes more. */
void ptl_buffer_grow(struct ptl_buffer *to, size_t size);

/* Inline, as what is added is mostly a few bytes. */
static inline void ptl_buffer_add(struct ptl_buffer *to, const void *bytes,
				  size_t size)
{
	if (size == 0)
		return;
	if (to->room - to->nr < size)
		ptl_buffer_grow(to, size);
	memcpy(to->bytes + to->nr, bytes, size);
	to->nr += size;
}

static inline void ptl_buffer_add_word(struct ptl_buffer *to, uint32_t word)
{
	ptl_buffer_add(to, &word, sizeof(word));
}

/* A word of the code that is the distance to a word of the arena. */
struct ptl_pieces_use {
	uint32_t at, word;
};

/* Rules: where they begin in `frames', and how far behind the arena's beginning
 * what they are for. */
struct ptl_pieces_rules {
	uint32_t at;
	int64_t code;
};

struct ptl_pieces_table {
	struct ptl_pieces_rules *rules;
	size_t nr, room;
};

struct ptl_pieces {
	struct ptl_plan *plan;
	uint64_t at; /* where its bytes are ready for */
	bool is_far; /* something is out of reach */
	struct ptl_buffer code;
	uint32_t *relocation;
	size_t nr_relocations, relocations_room;
	struct ptl_pieces_use *use;
	size_t nr_uses, uses_room;
	uint64_t *word;
	size_t nr_words, words_room;
	struct ptl_buffer frames; /* .eh_frame */
	struct ptl_pieces_table pieces, islands;
	uint32_t *common; /* by the number of a kind: where it is in frames, + 1
			   */
};

/* How much there was, to go back to. */
struct ptl_pieces_mark {
	size_t code, relocations, uses, words, frames, pieces, islands;
};

#define PTL_PIECES_CODE (PTL_PATCH_SLOTS * sizeof(uint64_t))

/* For about so many bytes. */
void ptl_pieces_begin(struct ptl_pieces *arena, struct ptl_plan *plan,
		      uint64_t size);
void ptl_pieces_free(struct ptl_pieces *arena);

struct ptl_pieces_mark ptl_pieces_mark(const struct ptl_pieces *arena);
void ptl_pieces_return(struct ptl_pieces *arena,
		       const struct ptl_pieces_mark *mark);

/* The next byte of code: its number in the arena, and its address. */
static inline uint32_t ptl_pieces_next(const struct ptl_pieces *arena)
{
	return (uint32_t)(PTL_PIECES_CODE + arena->code.nr);
}

/* Code: bytes; what is relative to behind itself and `tail' bytes more: an
 * address of the file, a slot, a word. */
static inline void ptl_pieces_put(struct ptl_pieces *arena, const void *bytes,
				  size_t size)
{
	ptl_buffer_add(&arena->code, bytes, size);
}
void ptl_pieces_put_address(struct ptl_pieces *arena, uint64_t to,
			    unsigned int tail);
void ptl_pieces_put_slot(struct ptl_pieces *arena, enum ptl_patch_slot slot);
void ptl_pieces_put_word(struct ptl_pieces *arena, size_t word);

/* Of aarch64: an instruction that is to lead to an address of the file. */
void ptl_pieces_put_a64(struct ptl_pieces *arena, uint32_t word, uint64_t to);

/* Another word, an address of the file: its number. */
size_t ptl_pieces_add_word(struct ptl_pieces *arena, uint64_t address);

/* Nothing is added any more: where in all of it what will be. */
struct ptl_pieces_shape {
	uint32_t code, code_size, frames, islands, nr_words;
	uint32_t rules; /* .eh_frame, the last part */
};
void ptl_pieces_finish(struct ptl_pieces *arena,
		       struct ptl_pieces_shape *shape);

/* All of it, behind what is there. */
void ptl_pieces_put_all(struct ptl_pieces *arena,
			const struct ptl_pieces_shape *shape,
			struct ptl_buffer *to);

#endif
