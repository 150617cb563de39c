/* SPDX-License-Identifier: MIT */
/* A64; see a64.h.  The groups are those of the architecture's manual, by bits
 * 25 to 28. */
#include "core/code/a64.h"

/* `size' bits from `from' on, with a sign. */
static int64_t bits(uint32_t word, unsigned int from, unsigned int size)
{
	return (int32_t)(word << (32 - from - size)) >> (32 - size);
}

/* Branches through a register: of the kinds with a signed address, too. */
static bool decode_register(struct ptl_a64 *insn)
{
	static const uint8_t kinds[] = {
		PTL_A64_JUMP_INDIRECT,
		PTL_A64_CALL_INDIRECT,
		PTL_A64_RETURN,
	};
	uint32_t word = insn->word;
	unsigned int what = word >> 21 & 15, how = word >> 10 & 0x3f;
	bool is_signed = how == 2 || how == 3;

	if ((word >> 16 & 31) != 31)
		return false;
	/* With a register as the modifier. */
	if (what == 8 || what == 9) {
		insn->kind = kinds[what - 8];
		return is_signed;
	}
	/* eret, drps */
	insn->kind = what < 3 ? kinds[what] : PTL_A64_TRAP;
	if (what == 4 || what == 5)
		return true;
	return what < 3 && (is_signed || (how == 0 && ptl_a64_rd(word) == 0));
}

/* Of those that ask the system or a debugger. */
static bool decode_exception(struct ptl_a64 *insn)
{
	unsigned int what = insn->word >> 21 & 7, level = insn->word & 31;

	insn->kind = what == 0 ? PTL_A64_SYSTEM : PTL_A64_TRAP;
	if (what == 0 || what == 5) /* svc, hvc, smc; dcps1 to 3 */
		return level >= 1 && level <= 3;
	return (what == 1 || what == 2) && level == 0; /* brk, hlt */
}

static bool decode_branch(struct ptl_a64 *insn)
{
	uint32_t word = insn->word;

	switch (word >> 24) {
	case 0x34: /* cbz, cbnz */
	case 0x35:
	case 0xb4:
	case 0xb5:
	case 0x54: /* b.cond, bc.cond */
		insn->kind = PTL_A64_BRANCH;
		insn->relative = PTL_A64_19;
		return true;
	case 0x36: /* tbz, tbnz */
	case 0x37:
	case 0xb6:
	case 0xb7:
		insn->kind = PTL_A64_BRANCH;
		insn->relative = PTL_A64_14;
		return true;
	case 0xd4:
		return decode_exception(insn);
	case 0xd5: /* hints, barriers, registers of the system */
		return true;
	case 0xd6:
	case 0xd7:
		return decode_register(insn);
	default:
		if ((word >> 26 & 31) != 5)
			return false;
		insn->kind = word >> 31 ? PTL_A64_CALL : PTL_A64_JUMP;
		insn->relative = PTL_A64_26;
		return true;
	}
}

/* Constants as operands: among them addresses. */
static void decode_constant(struct ptl_a64 *insn)
{
	if ((insn->word & 0x1f000000u) == 0x10000000u)
		insn->relative = insn->word >> 31 ? PTL_A64_ADRP : PTL_A64_ADR;
}

static bool decode_memory(struct ptl_a64 *insn)
{
	if ((insn->word & 0x3b000000u) != 0x18000000u)
		return true;
	insn->relative = PTL_A64_LITERAL;
	/* A vector of no size. */
	return insn->word >> 30 != 3 || !(insn->word >> 26 & 1);
}

bool ptl_a64_decode(uint32_t word, struct ptl_a64 *insn)
{
	*insn = (struct ptl_a64){.word = word};
	switch (word >> 25 & 15) {
	case 0:
		if (word >> 16 == 0) /* udf */
			insn->kind = PTL_A64_TRAP;
		return word >> 16 == 0 || word >> 31; /* or SME */
	case 1:
	case 3:
		return false;
	case 8:
	case 9:
		decode_constant(insn);
		return true;
	case 10:
	case 11:
		return decode_branch(insn);
	case 4:
	case 6:
	case 12:
	case 14:
		return decode_memory(insn);
	default: /* between registers; SVE */
		return true;
	}
}

static int64_t distance_of(const struct ptl_a64 *insn)
{
	uint32_t word = insn->word;

	switch (insn->relative) {
	case PTL_A64_26:
		return bits(word, 0, 26) * PTL_A64_SIZE;
	case PTL_A64_19:
	case PTL_A64_LITERAL:
		return bits(word, 5, 19) * PTL_A64_SIZE;
	case PTL_A64_14:
		return bits(word, 5, 14) * PTL_A64_SIZE;
	case PTL_A64_ADR:
	case PTL_A64_ADRP:
		return bits(word, 5, 19) * 4 + (word >> 29 & 3);
	default:
		return 0;
	}
}

uint64_t ptl_a64_target(const struct ptl_a64 *insn, uint64_t address)
{
	int64_t distance = distance_of(insn);

	if (insn->relative == PTL_A64_ADRP)
		return (address & -PTL_A64_PAGE) +
		       (uint64_t)distance * PTL_A64_PAGE;
	return address + (uint64_t)distance;
}

/* Puts a number that fits with its sign into these bits; false: it does not. */
static bool put(uint32_t *word, int64_t number, unsigned int from,
		unsigned int size)
{
	uint32_t mask = (UINT32_MAX >> (32 - size)) << from;

	if (number < -(INT64_C(1) << (size - 1)) ||
	    number >= INT64_C(1) << (size - 1))
		return false;
	*word = (*word & ~mask) | ((uint32_t)number << from & mask);
	return true;
}

bool ptl_a64_lead(const struct ptl_a64 *insn, uint64_t address, uint64_t to,
		  uint32_t *word)
{
	bool is_page = insn->relative == PTL_A64_ADRP;
	int64_t unit = is_page ? (int64_t)PTL_A64_PAGE : PTL_A64_SIZE, distance;

	*word = insn->word;
	if (is_page)
		address &= -PTL_A64_PAGE;
	distance = (int64_t)(to - address);
	if (insn->relative == PTL_A64_ADR)
		unit = 1;
	if (distance % unit != 0)
		return false;
	distance /= unit;
	switch (insn->relative) {
	case PTL_A64_26:
		return put(word, distance, 0, 26);
	case PTL_A64_19:
	case PTL_A64_LITERAL:
		return put(word, distance, 5, 19);
	case PTL_A64_14:
		return put(word, distance, 5, 14);
	case PTL_A64_ADR:
	case PTL_A64_ADRP:
		*word = (*word & ~(3u << 29)) | ((uint32_t)distance & 3) << 29;
		return put(word, distance >> 2, 5, 19);
	default:
		return false;
	}
}
