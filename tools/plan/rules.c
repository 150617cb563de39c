/* SPDX-License-Identifier: MIT */
/* Rules as .eh_frame has them; see rules.h. */
#include "tools/plan/rules.h"

#include <string.h>

#include "tools/lib/say.h"

#define ADVANCE4 0x04
#define SAME_VALUE 0x08
#define DEF_CFA_OFFSET 0x0e
#define X86_RIP 16
#define A64_X30 30
#define REMEMBER_STATE 0x0a
#define RESTORE_STATE 0x0b
#define OFFSET 0x80
#define ENC_PCREL 0x1b

static void put(struct ptl_buffer *to, unsigned char byte)
{
	ptl_buffer_add(to, &byte, 1);
}

static void put_uleb(struct ptl_buffer *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put(to, (unsigned char)(value | 0x80));
	put(to, (unsigned char)value);
}

static void put_sleb(struct ptl_buffer *to, int64_t value)
{
	for (; value < -64 || value > 63; value >>= 7)
		put(to, (unsigned char)(value | 0x80));
	put(to, (unsigned char)(value & 0x7f));
}

/* The length is in front, and a multiple of 4. */
static void close_entry(struct ptl_buffer *to, size_t begin)
{
	uint32_t size;

	while ((to->nr - begin) % 4 != 0)
		put(to, 0); /* nop */
	size = (uint32_t)(to->nr - begin - 4);
	memcpy(to->bytes + begin, &size, sizeof(size));
}

/* What entries have in common that had one kind in the file: without what is
 * for exceptions, which no piece throws or catches. */
static uint32_t common_of(struct ptl_pieces *arena, size_t number)
{
	const struct ptl_frame_kind *kind = &arena->plan->frames.kind[number];
	struct ptl_buffer *to = &arena->frames;
	size_t begin = to->nr;

	if (arena->common[number] != 0)
		return arena->common[number] - 1;
	ptl_buffer_add_word(to, 0);
	ptl_buffer_add_word(to, 0);
	put(to, 1); /* version */
	ptl_buffer_add(to, "zR", 3);
	put_uleb(to, 1);
	put_sleb(to, kind->data_align);
	put(to, arena->plan->code.is_a64 ? A64_X30 : X86_RIP);
	put_uleb(to, 1);
	put(to, ENC_PCREL);
	ptl_buffer_add(to, kind->insns.at,
		       (size_t)(kind->insns.end - kind->insns.at));
	close_entry(to, begin);
	arena->common[number] = (uint32_t)begin + 1;
	return (uint32_t)begin;
}

static void begin(struct ptl_rules *rules, struct ptl_pieces *arena,
		  struct ptl_pieces_table *table, int64_t code,
		  uint64_t address)
{
	struct ptl_frames *frames = &arena->plan->frames;
	const struct ptl_unwind_frame *frame = ptl_frames_find(frames, address);
	struct ptl_buffer *to = &arena->frames;
	uint32_t common;

	rules->arena = arena;
	rules->begin = rules->last = ptl_pieces_next(arena);
	rules->has_any = false;
	if (frame == NULL)
		return;
	ptl_cfa_begin(&rules->run, frames, frame);
	common = common_of(arena, frame->kind);
	rules->has_any = true;
	rules->at = (uint32_t)to->nr;
	ptl_buffer_add_word(to, 0);
	ptl_buffer_add_word(to, rules->at + 4 - common);
	ptl_buffer_add_word(to, 0); /* the address */
	ptl_buffer_add_word(to, 0); /* the size */
	put_uleb(to, 0);
	table->rules = ptl_grow(table->rules, table->nr, &table->room,
				sizeof(*table->rules));
	table->rules[table->nr++] = (struct ptl_pieces_rules){rules->at, code};
}

void ptl_rules_begin(struct ptl_rules *rules, struct ptl_pieces *arena,
		     uint64_t address)
{
	begin(rules, arena, &arena->pieces, ptl_pieces_next(arena), address);
}

static void advance(struct ptl_rules *rules)
{
	struct ptl_buffer *to = &rules->arena->frames;
	uint32_t next = ptl_pieces_next(rules->arena);

	if (next == rules->last)
		return;
	put(to, ADVANCE4);
	ptl_buffer_add_word(to, next - rules->last);
	rules->last = next;
}

void ptl_rules_at(struct ptl_rules *rules, uint64_t address)
{
	struct ptl_dwarf rule;

	if (!rules->has_any)
		return;
	while (ptl_cfa_step(&rules->run, address, &rule)) {
		if (rule.at == rule.end || rules->run.is_lost)
			continue;
		advance(rules);
		ptl_buffer_add(&rules->arena->frames, rule.at,
			       (size_t)(rule.end - rule.at));
	}
}

/* Is the CFA so far above the stack pointer? */
static bool has_stack(const struct ptl_rules *rules)
{
	const struct ptl_cfa *cfa = &rules->run.cfa;

	return rules->has_any && cfa->is_known &&
	       cfa->reg == rules->run.frames->sp;
}

void ptl_rules_pushed(struct ptl_rules *rules, unsigned int size)
{
	const struct ptl_cfa *cfa = &rules->run.cfa;

	if (!has_stack(rules))
		return;
	advance(rules);
	put(&rules->arena->frames, DEF_CFA_OFFSET);
	put_uleb(&rules->arena->frames, (uint64_t)cfa->offset + size);
}

void ptl_rules_restored(struct ptl_rules *rules)
{
	static const unsigned char x86[] = {3, 6, 12, 13, 14, 15};
	static const unsigned char a64[] = {19, 20, 21, 22, 23, 24,
					    25, 26, 27, 28, 29, A64_X30};
	bool is_a64 = rules->arena->plan->code.is_a64;
	const unsigned char *saved = is_a64 ? a64 : x86;

	if (!rules->has_any)
		return;
	advance(rules);
	for (size_t i = 0; i < (is_a64 ? sizeof(a64) : sizeof(x86)); i++) {
		put(&rules->arena->frames, SAME_VALUE);
		put(&rules->arena->frames, saved[i]);
	}
}

void ptl_rules_link(struct ptl_rules *rules, bool is_saved)
{
	struct ptl_buffer *to = &rules->arena->frames;
	int64_t align;

	if (!has_stack(rules) || rules->run.kind->data_align >= 0)
		return;
	advance(rules);
	if (!is_saved) {
		put(to, RESTORE_STATE);
		return;
	}
	align = rules->run.kind->data_align;
	put(to, REMEMBER_STATE);
	put(to, DEF_CFA_OFFSET);
	put_uleb(to, (uint64_t)rules->run.cfa.offset + 16);
	put(to, OFFSET | A64_X30);
	put_uleb(to, (uint64_t)((rules->run.cfa.offset + 8) / -align));
}

static void end(struct ptl_rules *rules, uint32_t size)
{
	struct ptl_buffer *to = &rules->arena->frames;

	if (!rules->has_any)
		return;
	memcpy(to->bytes + rules->at + 12, &size, sizeof(size));
	close_entry(to, rules->at);
}

void ptl_rules_end(struct ptl_rules *rules)
{
	end(rules, ptl_pieces_next(rules->arena) - rules->begin);
}

void ptl_rules_island(struct ptl_pieces *arena, uint64_t island,
		      uint64_t address)
{
	struct ptl_rules rules;

	begin(&rules, arena, &arena->islands, (int64_t)(island - arena->at),
	      address);
	ptl_rules_at(&rules, address);
	end(&rules, 1);
}
