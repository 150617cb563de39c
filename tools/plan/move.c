/* SPDX-License-Identifier: MIT */
/*
 * Moved instructions; see move.h.  What is relative in them is made relative to
 * their new place.  A call goes out of the arena as if it were still where it
 * was: it pushes the program's own return address, so that nothing ever returns
 * into the arena, and nobody who looks at the stack finds it there.
 */
#include "tools/plan/move.h"

#include "tools/plan/hooks.h"
#include "tools/plan/places.h"
#include "tools/plan/rules.h"

/* The red zone: bytes below the stack pointer that a function may use. */
#define RED_ZONE 128

struct piece {
	struct ptl_pieces *arena;
	const struct ptl_plan_place *place;
	const struct ptl_move *how;
	struct ptl_rules rules;
	uint64_t at; /* the instruction that is moved */
	struct ptl_x86 insn;
	const unsigned char *code;
};

#define PUT(piece, ...) \
	do { \
		const unsigned char bytes_[] = {__VA_ARGS__}; \
		ptl_pieces_put((piece)->arena, bytes_, sizeof(bytes_)); \
	} while (0)

/* call *slot(%rip), and the mark that says of which function. */
static void put_tell_of(struct piece *piece, enum ptl_patch_slot slot,
			size_t word)
{
	PUT(piece, 0xff, 0x15);
	ptl_pieces_put_slot(piece->arena, slot);
	PUT(piece, 0x0f, 0x1f, 0x80);
	ptl_pieces_put_word(piece->arena, word);
}

static void put_tell(struct piece *piece, enum ptl_patch_slot slot)
{
	put_tell_of(piece, slot, piece->how->word);
}

/* Tells of a function that may have something in the red zone: it is left by
 * what looks like a jump, and may be none, or loops to its first instruction.
 */
static void put_tell_inside_of(struct piece *piece, enum ptl_patch_slot slot,
			       size_t word)
{
	PUT(piece, 0x48, 0x8d, 0x64, 0x24, 0x100 - RED_ZONE); /* lea */
	ptl_rules_pushed(&piece->rules, RED_ZONE);
	put_tell_of(piece, slot, word);
	PUT(piece, 0x48, 0x8d, 0xa4, 0x24, RED_ZONE, 0, 0, 0); /* lea */
	ptl_rules_pushed(&piece->rules, 0);
}

static void put_tell_inside(struct piece *piece, enum ptl_patch_slot slot)
{
	put_tell_inside_of(piece, slot, piece->how->word);
}

static void put_left(struct piece *piece)
{
	put_tell_inside(piece, piece->how->has_role ? PTL_PATCH_LEFT_ROLE :
						      PTL_PATCH_LEFT);
}

/* There may be several at one place. */
static void put_probes(struct piece *piece)
{
	for (size_t i = 0; i < piece->how->nr_probes; i++)
		if (piece->how->probe[i].at == piece->at)
			put_tell_inside_of(piece, PTL_PATCH_PROBE,
					   piece->how->probe[i].word);
}

/* As core/format/patches.h says it: lea, jmp *slot(%rip), the distance. */
static void put_system(struct piece *piece)
{
	PUT(piece, 0x48, 0x8d, 0x0d, 10, 0, 0, 0, 0xff, 0x25);
	ptl_pieces_put_slot(piece->arena, PTL_PATCH_SYSTEM);
	ptl_pieces_put_word(piece->arena, piece->how->word);
	ptl_pieces_put(piece->arena, piece->code, piece->insn.size);
}

static void put_jump(struct piece *piece, uint64_t to)
{
	PUT(piece, 0xe9);
	ptl_pieces_put_address(piece->arena, to, 0);
}

static uint64_t target_of(const struct piece *piece)
{
	return ptl_x86_target(&piece->insn, piece->code, piece->at);
}

/* The instruction as it is, from its byte `from' on. */
static void put_rest(struct piece *piece, unsigned int from)
{
	const struct ptl_x86 *insn = &piece->insn;
	unsigned int relative = insn->relative;

	if (!insn->is_rip) {
		ptl_pieces_put(piece->arena, piece->code + from,
			       insn->size - from);
		return;
	}
	ptl_pieces_put(piece->arena, piece->code + from, relative - from);
	ptl_pieces_put_address(piece->arena, target_of(piece),
			       insn->size - relative - 4u);
	ptl_pieces_put(piece->arena, piece->code + relative + 4,
		       insn->size - relative - 4u);
}

static void put_return_address(struct piece *piece)
{
	size_t word =
		ptl_pieces_add_word(piece->arena, piece->at + piece->insn.size);

	PUT(piece, 0xff, 0x35); /* push word(%rip) */
	ptl_pieces_put_word(piece->arena, word);
	ptl_rules_pushed(&piece->rules, 8);
}

/* Behind prefixes; all that is meant has this one. */
static unsigned int find_opcode(const struct ptl_x86 *insn,
				const unsigned char *code)
{
	unsigned int at = 0;

	while (at < insn->size && code[at] != 0xff)
		at++;
	return at;
}

bool ptl_move_can_call(const struct ptl_x86 *insn, const unsigned char *code)
{
	bool is_rsp = (insn->modrm & 7) == 4 && !(insn->rex & 1);
	unsigned int base = find_opcode(insn, code) + 2;

	if (insn->kind == PTL_X86_CALL)
		return true;
	if ((insn->modrm >> 3 & 7) != 2)
		return false;
	/* In memory it is the byte behind ModRM that says so. */
	if (insn->modrm < 0xc0 && is_rsp)
		is_rsp = base >= insn->size || (code[base] & 7) == 4;
	return !is_rsp;
}

/*
 * What is behind a hook is called in its place.  The two of
 * -finstrument-functions are also called of functions that are inlined: their
 * first argument is not the address of this one.
 */
static void put_behind(struct piece *piece, enum ptl_patch_slot slot)
{
	bool has_address =
		slot == PTL_PATCH_CYG_ENTER || slot == PTL_PATCH_CYG_EXIT;

	if (has_address) {
		PUT(piece, 0x48, 0x3b, 0x3d); /* cmp word(%rip), %rdi */
		ptl_pieces_put_word(piece->arena, piece->how->word);
		PUT(piece, 0x75, 6); /* jne */
	}
	PUT(piece, 0xff, 0x25); /* jmp *slot(%rip) */
	ptl_pieces_put_slot(piece->arena, slot);
	if (has_address && piece->insn.is_rip) {
		PUT(piece, 0xff, 0x25);
		ptl_pieces_put_address(piece->arena, target_of(piece), 0);
	} else if (has_address) {
		put_jump(piece, target_of(piece));
	}
}

static bool move_hook(struct piece *piece, bool is_exit)
{
	const struct ptl_plan_hook *hook =
		ptl_hooks_from(piece->arena->plan, piece->at);

	if (!piece->how->is_traced || hook == NULL || hook->at != piece->at)
		return false;
	if (is_exit)
		put_left(piece);
	else if (ptl_place_calls(&piece->insn))
		put_return_address(piece);
	put_behind(piece, hook->slot);
	return true;
}

/* jmp has the opcode of call, and 4 in ModRM where that has 2. */
static void put_indirect(struct piece *piece, unsigned char which)
{
	unsigned int opcode = find_opcode(&piece->insn, piece->code);

	ptl_pieces_put(piece->arena, piece->code, opcode + 1);
	PUT(piece, (piece->code[opcode + 1] & 0xc7) | which << 3);
	put_rest(piece, opcode + 2);
}

static void move_call(struct piece *piece)
{
	put_return_address(piece);
	if (piece->insn.kind == PTL_X86_CALL)
		put_jump(piece, target_of(piece));
	else
		put_indirect(piece, 4);
}

/* Does a jump find its target by the stack pointer? */
static bool is_by_stack(const struct piece *piece)
{
	struct ptl_x86 call = piece->insn;

	if (call.kind != PTL_X86_JUMP_INDIRECT)
		return false;
	call.modrm = (unsigned char)((call.modrm & 0xc7) | 2 << 3);
	return !ptl_move_can_call(&call, piece->code);
}

/*
 * What a function with a role returns has to be known.  So a jump that ends it,
 * which finds the stack as the function did, becomes a call, behind which the
 * function ends; whatever unwinds meanwhile finds the rules of this piece.
 */
static void put_call_in_place(struct piece *piece)
{
	ptl_rules_restored(&piece->rules);
	PUT(piece, 0x48, 0x8d, 0x64, 0x24, 0xf8); /* lea -8(%rsp), %rsp */
	ptl_rules_pushed(&piece->rules, 8);
	if (piece->insn.kind == PTL_X86_JUMP_INDIRECT) {
		put_indirect(piece, 2);
	} else {
		PUT(piece, 0xe8);
		ptl_pieces_put_address(piece->arena, target_of(piece), 0);
	}
	PUT(piece, 0x48, 0x8d, 0x64, 0x24, 8);
	ptl_rules_pushed(&piece->rules, 0);
	put_tell(piece, PTL_PATCH_END_TYPED);
	PUT(piece, 0xc3);
}

/* To where the instruction jumps, and that it leaves the function. */
static void put_leap(struct piece *piece, bool is_exit)
{
	if (is_exit && piece->how->has_role) {
		put_call_in_place(piece);
		return;
	}
	if (is_exit)
		put_left(piece);
	put_jump(piece, target_of(piece));
}

/* Behind a short jump, which leads over it. */
static void put_leap_over(struct piece *piece, bool is_exit)
{
	struct ptl_buffer *code = &piece->arena->code;
	size_t begin = code->nr;

	put_leap(piece, is_exit);
	code->bytes[begin - 1] = (unsigned char)(code->nr - begin);
}

static void move_branch(struct piece *piece, bool is_exit)
{
	const struct ptl_x86 *insn = &piece->insn;
	bool is_short = insn->map == PTL_X86_ONE_BYTE;
	unsigned char condition = insn->opcode & 15;

	if (is_short && insn->opcode >= 0xe0 && insn->opcode <= 0xe3) {
		/* loop and jrcxz have no long form. */
		ptl_pieces_put(piece->arena, piece->code, insn->size - 1u);
		PUT(piece, 2, 0xeb, 0);
		put_leap_over(piece, is_exit);
	} else if (is_short && insn->opcode == 0xc7) { /* xbegin */
		ptl_pieces_put(piece->arena, piece->code, insn->relative);
		ptl_pieces_put_address(piece->arena, target_of(piece), 0);
	} else if (is_exit) {
		/* By the opposite condition. */
		PUT(piece, 0x70 | (condition ^ 1), 0);
		put_leap_over(piece, is_exit);
	} else {
		PUT(piece, 0x0f, 0x80 | condition);
		ptl_pieces_put_address(piece->arena, target_of(piece), 0);
	}
}

static void move_one(struct piece *piece, bool is_exit)
{
	if (move_hook(piece, is_exit))
		return;
	switch (piece->insn.kind) {
	case PTL_X86_BRANCH:
		move_branch(piece, is_exit);
		break;
	case PTL_X86_JUMP:
		put_leap(piece, is_exit);
		break;
	case PTL_X86_CALL:
	case PTL_X86_CALL_INDIRECT:
		move_call(piece);
		break;
	case PTL_X86_RETURN:
		if (is_exit) {
			ptl_rules_restored(&piece->rules);
			put_tell(piece, piece->how->is_typed ?
						PTL_PATCH_END_TYPED :
						PTL_PATCH_END);
		}
		put_rest(piece, 0);
		break;
	case PTL_X86_JUMP_INDIRECT:
		if (is_exit && piece->how->has_role && !is_by_stack(piece)) {
			put_call_in_place(piece);
			break;
		}
		if (is_exit)
			put_left(piece);
		put_rest(piece, 0);
		break;
	case PTL_X86_SYSTEM:
		if (piece->how->is_system)
			put_system(piece);
		else
			put_rest(piece, 0);
		break;
	default:
		put_rest(piece, 0);
	}
}

static bool decode(struct piece *piece, uint64_t end)
{
	size_t size;

	piece->code = ptl_code_bytes(&piece->arena->plan->code, piece->at, end,
				     &size);
	return piece->code != NULL &&
	       ptl_x86_decode(piece->code, size, &piece->insn) &&
	       !ptl_place_is_near(&piece->insn) &&
	       (!ptl_place_calls(&piece->insn) ||
		ptl_move_can_call(&piece->insn, piece->code));
}

uint32_t ptl_move(struct ptl_pieces *arena, const struct ptl_plan_place *place,
		  const struct ptl_move *how)
{
	struct piece piece = {
		.arena = arena,
		.place = place,
		.how = how,
		.at = place->at,
	};
	uint64_t end = place->at + place->size;
	uint32_t begin = ptl_pieces_next(arena);
	bool goes_on = true;

	ptl_rules_begin(&piece.rules, arena, place->at);
	ptl_rules_at(&piece.rules, place->at);
	if (how->is_entry && (how->entry == PTL_PATCH_LOOP ||
			      how->entry == PTL_PATCH_LOOP_TYPED))
		put_tell_inside(&piece, how->entry);
	else if (how->is_entry)
		put_tell(&piece, how->entry);
	for (; piece.at < end; piece.at += piece.insn.size) {
		if (!decode(&piece, end))
			return 0;
		ptl_rules_at(&piece.rules, piece.at);
		put_probes(&piece);
		move_one(&piece,
			 how->has_exits &&
				 ptl_plan_ends(arena->plan, place,
					       piece.at + piece.insn.size));
		goes_on = !ptl_place_ends(&piece.insn) &&
			  !ptl_place_calls(&piece.insn);
	}
	if (goes_on) {
		ptl_rules_at(&piece.rules, end);
		put_jump(&piece, end);
	}
	ptl_rules_end(&piece.rules);
	return arena->is_far ? 0 : begin;
}
