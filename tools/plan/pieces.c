/* SPDX-License-Identifier: MIT */
/* Bytes of an arena; see pieces.h. */
#include "tools/plan/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "core/code/a64.h"
#include "tools/lib/say.h"

/* So much below the file's first address, and as much more as it takes, memory
 * is free as a rule. */
#define GAP (UINT64_C(16) << 20)
#define PAGE UINT64_C(4096)

/* Encodings of pointers: four signed bytes, relative to their own place, or to
 * .eh_frame_hdr. */
#define ENC_PCREL 0x1b
#define ENC_DATAREL 0x3b
#define ENC_UDATA4 0x03

/* Of an entry of .eh_frame: where its address is. */
#define RULES_ADDRESS 8

void ptl_buffer_grow(struct ptl_buffer *to, size_t size)
{
	while (to->room - to->nr < size)
		to->bytes = ptl_grow(to->bytes, to->room, &to->room, 1);
}

void ptl_pieces_begin(struct ptl_pieces *arena, struct ptl_plan *plan,
		      uint64_t size)
{
	uint64_t low = plan->code.image.low & -PAGE;

	*arena = (struct ptl_pieces){.plan = plan};
	arena->at = low - GAP - (size & -PAGE);
	arena->common =
		ptl_alloc((plan->frames.nr_kinds + 1) * sizeof(*arena->common));
}

void ptl_pieces_free(struct ptl_pieces *arena)
{
	free(arena->code.bytes);
	free(arena->relocation);
	free(arena->use);
	free(arena->word);
	free(arena->frames.bytes);
	free(arena->pieces.rules);
	free(arena->islands.rules);
	free(arena->common);
}

struct ptl_pieces_mark ptl_pieces_mark(const struct ptl_pieces *arena)
{
	return (struct ptl_pieces_mark){
		.code = arena->code.nr,
		.relocations = arena->nr_relocations,
		.uses = arena->nr_uses,
		.words = arena->nr_words,
		.frames = arena->frames.nr,
		.pieces = arena->pieces.nr,
		.islands = arena->islands.nr,
	};
}

void ptl_pieces_return(struct ptl_pieces *arena,
		       const struct ptl_pieces_mark *mark)
{
	arena->code.nr = mark->code;
	arena->nr_relocations = mark->relocations;
	arena->nr_uses = mark->uses;
	arena->nr_words = mark->words;
	arena->frames.nr = mark->frames;
	arena->pieces.nr = mark->pieces;
	arena->islands.nr = mark->islands;
	arena->is_far = false;
	for (size_t i = 0; i < arena->plan->frames.nr_kinds; i++)
		if (arena->common[i] > mark->frames)
			arena->common[i] = 0;
}

/* What is there in the arena is a distance to an address of the file. */
static void relocate(struct ptl_pieces *arena, size_t at)
{
	arena->relocation =
		ptl_grow(arena->relocation, arena->nr_relocations,
			 &arena->relocations_room, sizeof(*arena->relocation));
	arena->relocation[arena->nr_relocations++] = (uint32_t)at;
}

void ptl_pieces_put_address(struct ptl_pieces *arena, uint64_t to,
			    unsigned int tail)
{
	uint32_t at = ptl_pieces_next(arena);
	int64_t distance = (int64_t)(to - (arena->at + at + 4 + tail));

	arena->is_far |= distance != (int32_t)distance;
	relocate(arena, at);
	ptl_buffer_add_word(&arena->code, (uint32_t)distance);
}

void ptl_pieces_put_slot(struct ptl_pieces *arena, enum ptl_patch_slot slot)
{
	uint32_t to = (uint32_t)(slot * sizeof(uint64_t));

	ptl_buffer_add_word(&arena->code, to - (ptl_pieces_next(arena) + 4));
}

void ptl_pieces_put_word(struct ptl_pieces *arena, size_t word)
{
	arena->use = ptl_grow(arena->use, arena->nr_uses, &arena->uses_room,
			      sizeof(*arena->use));
	arena->use[arena->nr_uses++] = (struct ptl_pieces_use){
		ptl_pieces_next(arena),
		(uint32_t)word,
	};
	ptl_buffer_add_word(&arena->code, 0);
}

void ptl_pieces_put_a64(struct ptl_pieces *arena, uint32_t word, uint64_t to)
{
	uint32_t at = ptl_pieces_next(arena);
	struct ptl_a64 insn;

	arena->is_far |= !ptl_a64_decode(word, &insn) ||
			 !ptl_a64_lead(&insn, arena->at + at, to, &word);
	relocate(arena, at);
	ptl_buffer_add_word(&arena->code, word);
}

size_t ptl_pieces_add_word(struct ptl_pieces *arena, uint64_t address)
{
	arena->word = ptl_grow(arena->word, arena->nr_words, &arena->words_room,
			       sizeof(*arena->word));
	arena->word[arena->nr_words] = address;
	return arena->nr_words++;
}

static void pad(struct ptl_buffer *to, size_t align)
{
	while (to->nr % align != 0)
		ptl_buffer_add(to, "", 1);
}

static void set(unsigned char *at, size_t value)
{
	uint32_t word = (uint32_t)value;

	memcpy(at, &word, sizeof(word));
}

static int by_code(const void *a, const void *b)
{
	const struct ptl_pieces_rules *left = a, *right = b;

	return (left->code > right->code) - (left->code < right->code);
}

static uint32_t size_of_table(const struct ptl_pieces_table *table)
{
	return (uint32_t)(PTL_PATCH_TABLE + table->nr * PTL_PATCH_TABLE_ENTRY);
}

/* .eh_frame_hdr, with a table by which unwinders find the rules of an address;
 * it will be at `begin', and .eh_frame at `frames'. */
static void put_table(struct ptl_pieces *arena,
		      const struct ptl_pieces_table *table, uint32_t begin,
		      uint32_t frames, struct ptl_buffer *to)
{
	const unsigned char head[4] = {1, ENC_PCREL, ENC_UDATA4, ENC_DATAREL};

	ptl_buffer_add(to, head, sizeof(head));
	ptl_buffer_add_word(to, frames - (begin + sizeof(head)));
	ptl_buffer_add_word(to, (uint32_t)table->nr);
	for (size_t i = 0; i < table->nr; i++) {
		const struct ptl_pieces_rules *rules = &table->rules[i];
		size_t at = frames + rules->at, address = at + RULES_ADDRESS;

		ptl_buffer_add_word(to,
				    (uint32_t)(rules->code - (int64_t)begin));
		ptl_buffer_add_word(to, (uint32_t)(at - begin));
		set(arena->frames.bytes + rules->at + RULES_ADDRESS,
		    (size_t)rules->code - address);
	}
}

/* What rules are for is in the file, and they are in the arena. */
static void relocate_islands(struct ptl_pieces *arena,
			     const struct ptl_pieces_shape *shape)
{
	size_t at = shape->islands + PTL_PATCH_TABLE;

	for (size_t i = 0; i < arena->islands.nr; i++) {
		relocate(arena, at + i * PTL_PATCH_TABLE_ENTRY);
		relocate(arena, shape->rules + arena->islands.rules[i].at +
					RULES_ADDRESS);
	}
}

void ptl_pieces_finish(struct ptl_pieces *arena, struct ptl_pieces_shape *shape)
{
	struct ptl_pieces_table *islands = &arena->islands;
	size_t words, frames;

	pad(&arena->code, sizeof(uint64_t));
	words = PTL_PIECES_CODE + arena->code.nr;
	for (size_t i = 0; i < arena->nr_uses; i++) {
		uint32_t at = arena->use[i].at;

		set(arena->code.bytes + at - PTL_PIECES_CODE,
		    words + arena->use[i].word * sizeof(uint64_t) - (at + 4));
	}
	if (islands->nr > 0)
		qsort(islands->rules, islands->nr, sizeof(*islands->rules),
		      by_code);
	frames = words + arena->nr_words * sizeof(*arena->word);
	*shape = (struct ptl_pieces_shape){
		.code = PTL_PIECES_CODE,
		.code_size = (uint32_t)arena->code.nr,
		.nr_words = (uint32_t)arena->nr_words,
		.frames = (uint32_t)frames,
	};
	shape->islands = shape->frames + size_of_table(&arena->pieces);
	shape->rules = shape->islands + size_of_table(islands);
	relocate_islands(arena, shape);
	ptl_buffer_add_word(&arena->frames, 0); /* the end */
}

void ptl_pieces_put_all(struct ptl_pieces *arena,
			const struct ptl_pieces_shape *shape,
			struct ptl_buffer *to)
{
	const uint64_t slots[PTL_PATCH_SLOTS] = {0};

	ptl_buffer_add(to, slots, sizeof(slots));
	ptl_buffer_add(to, arena->code.bytes, arena->code.nr);
	ptl_buffer_add(to, arena->word, arena->nr_words * sizeof(*arena->word));
	put_table(arena, &arena->pieces, shape->frames, shape->rules, to);
	put_table(arena, &arena->islands, shape->islands, shape->rules, to);
	ptl_buffer_add(to, arena->frames.bytes, arena->frames.nr);
}
