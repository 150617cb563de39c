/* SPDX-License-Identifier: MIT */
/*
 * Moved instructions of aarch64; see move.h and a64.h.  An instruction that is
 * relative becomes one of the two that reach far: b, and adrp, which makes an
 * address where the instruction had one.  As on x86-64 a call has the program's
 * own return address.
 */
#include "tools/plan/a64.h"

#include "tools/plan/rules.h"

/* b, over the next instruction; and the same that leads nowhere yet. */
#define B_OVER 0x14000002u
#define B 0x14000000u
#define BL 0x94000000u
#define ADRP 0x90000000u
#define CONDITION_OVER 8 /* bytes that a condition leads over */

#define PUSH_X0_LINK 0xa9bf7be0u /* stp x0, x30, [sp, #-16]! */
#define POP_X0_LINK 0xa8c17be0u
#define PUSH_X29_LINK 0xa9bf7bfdu
#define POP_X29_LINK 0xa8c17bfdu
#define PUSH_X16 0xf81f0ff0u
#define POP_X16 0xf84107f0u
#define LOAD_LINK 0xf94003deu /* ldr x30, [x30, #0] */
#define CALL_LINK 0xd63f03c0u /* blr x30 */
#define RET 0xd65f03c0u
#define INDIRECT_CALL 0x00200000u /* what makes br blr */

struct a64_piece {
	struct ptl_pieces *arena;
	const struct ptl_move *how;
	struct ptl_rules rules;
	uint32_t begin;
	uint32_t start; /* of its code: a word may be before that */
	uint64_t at;	/* the instruction that is moved */
	struct ptl_a64 insn;
};

static void put(struct a64_piece *piece, uint32_t word)
{
	ptl_pieces_put(piece->arena, &word, sizeof(word));
}

static void put_lead(struct a64_piece *piece, uint32_t word, uint64_t to)
{
	ptl_pieces_put_a64(piece->arena, word, to);
}

/* An address of the file, into a register. */
static void put_address(struct a64_piece *piece, unsigned int reg, uint64_t to)
{
	put_lead(piece, ADRP | reg, to & -PTL_A64_PAGE);
	put(piece,
	    0x91000000u | (uint32_t)(to % PTL_A64_PAGE) << 10 | reg << 5 | reg);
}

/*
 * As core/format/patches.h says it: the distance to the word that says of which
 * function it is, and behind that four instructions that call the slot.  These
 * are in the arena's first page.
 */
static void put_tell(struct a64_piece *piece, enum ptl_patch_slot slot)
{
	struct ptl_a64 adrp = {
		.word = ADRP | PTL_A64_LINK,
		.relative = PTL_A64_ADRP,
	};
	uint32_t word;

	if (ptl_pieces_next(piece->arena) == piece->begin)
		piece->start += PTL_A64_SIZE;
	else
		put(piece, B_OVER);
	ptl_pieces_put_word(piece->arena, piece->how->word);
	put(piece, PUSH_X0_LINK);
	ptl_rules_link(&piece->rules, true);
	piece->arena->is_far |=
		!ptl_a64_lead(&adrp, ptl_pieces_next(piece->arena), 0, &word);
	put(piece, word);
	put(piece, LOAD_LINK | (uint32_t)slot << 10);
	put(piece, CALL_LINK);
	put(piece, POP_X0_LINK);
	ptl_rules_link(&piece->rules, false);
}

static void put_left(struct a64_piece *piece)
{
	put_tell(piece,
		 piece->how->has_role ? PTL_PATCH_LEFT_ROLE : PTL_PATCH_LEFT);
}

static void put_leap(struct a64_piece *piece, uint32_t word, uint64_t to)
{
	if (piece->insn.relative == PTL_A64_ABSOLUTE)
		put(piece, word);
	else
		put_lead(piece, word, to);
}

/* A jump that ends a function whose result has to be known becomes a call, as
 * on x86-64. */
static void put_call_in_place(struct a64_piece *piece, uint64_t to)
{
	bool is_direct = piece->insn.relative != PTL_A64_ABSOLUTE;

	ptl_rules_restored(&piece->rules);
	put(piece, PUSH_X29_LINK);
	ptl_rules_link(&piece->rules, true);
	put_leap(piece, is_direct ? BL : piece->insn.word | INDIRECT_CALL, to);
	put(piece, POP_X29_LINK);
	ptl_rules_link(&piece->rules, false);
	put_tell(piece, PTL_PATCH_END_TYPED);
	put(piece, RET);
}

/* To where the instruction jumps, and that it leaves the function. */
static void move_jump(struct a64_piece *piece, bool is_exit)
{
	bool is_direct = piece->insn.relative != PTL_A64_ABSOLUTE;
	uint64_t to = ptl_a64_target(&piece->insn, piece->at);

	if (is_exit && piece->how->has_role) {
		put_call_in_place(piece, to);
		return;
	}
	if (is_exit)
		put_left(piece);
	put_leap(piece, is_direct ? B : piece->insn.word, to);
}

/* Over the way on. */
static void move_branch(struct a64_piece *piece, bool is_exit)
{
	uint32_t word;

	ptl_a64_lead(&piece->insn, 0, CONDITION_OVER, &word);
	put(piece, word);
	put_lead(piece, B, piece->at + PTL_A64_SIZE);
	move_jump(piece, is_exit);
}

static void move_call(struct a64_piece *piece)
{
	unsigned int reg = ptl_a64_rn(piece->insn.word);

	/* By the link register: x16 is whoever's calls want it to be. */
	if (piece->insn.kind == PTL_A64_CALL_INDIRECT && reg == PTL_A64_LINK) {
		put(piece, 0xaa1e03f0u); /* mov x16, x30 */
		reg = 16;
	}
	put_address(piece, PTL_A64_LINK, piece->at + PTL_A64_SIZE);
	if (piece->insn.kind == PTL_A64_CALL)
		put_lead(piece, B, ptl_a64_target(&piece->insn, piece->at));
	else
		put(piece, 0xd61f0000u | reg << 5); /* br */
}

/* ldr, of what is in code: by its address, in a register that is overwritten
 * anyway, or in one that is saved. */
static void move_literal(struct a64_piece *piece)
{
	static const uint32_t general[] = {0xb9400000u, 0xf9400000u,
					   0xb9800000u};
	static const uint32_t vector[] = {0xbd400000u, 0xfd400000u,
					  0x3dc00000u};
	uint32_t word = piece->insn.word;
	unsigned int size = word >> 30, reg = ptl_a64_rd(word);
	uint64_t from = ptl_a64_target(&piece->insn, piece->at);

	if (word >> 26 & 1) {
		put(piece, PUSH_X16);
		ptl_rules_pushed(&piece->rules, 16);
		put_address(piece, 16, from);
		put(piece, vector[size] | 16u << 5 | reg);
		put(piece, POP_X16);
		ptl_rules_pushed(&piece->rules, 0);
	} else if (size == 3 || reg == PTL_A64_SP) { /* prfm; to nowhere */
		put(piece, PTL_A64_NOP);
	} else {
		put_address(piece, reg, from);
		put(piece, general[size] | reg << 5 | reg);
	}
}

static void move_plain(struct a64_piece *piece)
{
	uint32_t word = piece->insn.word;
	uint64_t to = ptl_a64_target(&piece->insn, piece->at);

	switch (piece->insn.relative) {
	case PTL_A64_ADR:
		if (ptl_a64_rd(word) == PTL_A64_SP)
			put(piece, PTL_A64_NOP);
		else
			put_address(piece, ptl_a64_rd(word), to);
		break;
	case PTL_A64_ADRP:
		put_lead(piece, word, to);
		break;
	case PTL_A64_LITERAL:
		move_literal(piece);
		break;
	default:
		put(piece, word);
	}
}

/* False: it goes on behind itself. */
static bool move_one(struct a64_piece *piece, bool is_exit)
{
	switch (piece->insn.kind) {
	case PTL_A64_BRANCH:
		move_branch(piece, is_exit);
		return true;
	case PTL_A64_JUMP:
	case PTL_A64_JUMP_INDIRECT:
		move_jump(piece, is_exit);
		return true;
	case PTL_A64_CALL:
	case PTL_A64_CALL_INDIRECT:
		move_call(piece);
		return true;
	case PTL_A64_RETURN:
		if (is_exit) {
			ptl_rules_restored(&piece->rules);
			put_tell(piece, piece->how->is_typed ?
						PTL_PATCH_END_TYPED :
						PTL_PATCH_END);
		}
		put(piece, piece->insn.word);
		return true;
	default:
		move_plain(piece);
		return false;
	}
}

uint32_t ptl_a64_move(struct ptl_pieces *arena,
		      const struct ptl_plan_place *place,
		      const struct ptl_move *how)
{
	struct a64_piece piece = {
		.arena = arena,
		.how = how,
		.begin = ptl_pieces_next(arena),
		.start = ptl_pieces_next(arena),
		.at = place->at,
	};
	uint64_t end = place->at + PTL_A64_SIZE;
	bool is_exit = how->has_exits && ptl_plan_ends(arena->plan, place, end);

	if (!ptl_a64_read(&arena->plan->code, place->at, &piece.insn))
		return 0;
	ptl_rules_begin(&piece.rules, arena, place->at);
	ptl_rules_at(&piece.rules, place->at);
	if (how->is_entry)
		put_tell(&piece, how->entry);
	if (!move_one(&piece, is_exit)) {
		ptl_rules_at(&piece.rules, end);
		put_lead(&piece, B, end);
	}
	ptl_rules_end(&piece.rules);
	return arena->is_far ? 0 : piece.start;
}
