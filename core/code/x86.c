/* SPDX-License-Identifier: MIT */
/*
 * The decoder; see x86.h.  An instruction is prefixes, an opcode in one of
 * several maps, ModRM and what that has behind it, a constant.  The opcode says
 * which of these there are: two tables of 256 bytes for the older maps, one bit
 * an opcode for those where all but a few have ModRM.
 */
#include "core/code/x86.h"

#include "core/code/x86_known.h"

/* What is behind an opcode: M, ModRM; G, the same, and that or a prefix tells
 * which instruction of a group it is; and one of these.  Its kind is above. */
#define M 0x80
#define G (0x40 | M)
#define GROUP 0x40
#define BEHIND 0x0f
#define KIND_SHIFT 8
enum {
	NONE,
	BYTE,
	WORD,
	FULL,	 /* 4 bytes; 2 with the prefix 66 */
	WIDE,	 /* the same; 8 with REX.W */
	ENTER,	 /* 3 bytes */
	MEMORY,	 /* an address: 8 bytes; 4 with the prefix 67 */
	NEAR,	 /* a relative operand of one byte */
	FAR,	 /* of four */
	PREFIX,	 /* also escapes to other maps */
	UNKNOWN, /* none in 64-bit mode */

	CALL = PTL_X86_CALL << KIND_SHIFT,
	CALL_INDIRECT = PTL_X86_CALL_INDIRECT << KIND_SHIFT,
	BRANCH = PTL_X86_BRANCH << KIND_SHIFT,
	JUMP = PTL_X86_JUMP << KIND_SHIFT,
	JUMP_INDIRECT = PTL_X86_JUMP_INDIRECT << KIND_SHIFT,
	RETURN = PTL_X86_RETURN << KIND_SHIFT,
	TRAP = PTL_X86_TRAP << KIND_SHIFT,
	SYSTEM = PTL_X86_SYSTEM << KIND_SHIFT,
};

#define ROW8(x) x, x, x, x, x, x, x, x
#define ROW16(x) ROW8(x), ROW8(x)
#define ARITHMETIC M, M, M, M, BYTE, FULL

/* clang-format off */
static const uint16_t one_byte[256] = {
	/* 00 */ ARITHMETIC, UNKNOWN, UNKNOWN, ARITHMETIC, UNKNOWN, PREFIX,
	/* 10 */ ARITHMETIC, UNKNOWN, UNKNOWN, ARITHMETIC, UNKNOWN, UNKNOWN,
	/* 20 */ ARITHMETIC, PREFIX, UNKNOWN, ARITHMETIC, PREFIX, UNKNOWN,
	/* 30 */ ARITHMETIC, PREFIX, UNKNOWN, ARITHMETIC, PREFIX, UNKNOWN,
	/* 40 */ ROW16(PREFIX),
	/* 50 */ ROW16(NONE),
	/* 60 */ UNKNOWN, UNKNOWN, PREFIX, M, PREFIX, PREFIX, PREFIX, PREFIX,
	/* 68 */ FULL, M | FULL, BYTE, M | BYTE, NONE, NONE, NONE, NONE,
	/* 70 */ ROW16(BRANCH | NEAR),
	/* 80 */ M | BYTE, M | FULL, UNKNOWN, M | BYTE, M, M, M, M,
	/* 88 */ M, M, M, M, M, G, M, PREFIX,
	/* 90 */ ROW8(NONE),
	/* 98 */ NONE, NONE, UNKNOWN, NONE, NONE, NONE, NONE, NONE,
	/* a0 */ MEMORY, MEMORY, MEMORY, MEMORY, NONE, NONE, NONE, NONE,
	/* a8 */ BYTE, FULL, NONE, NONE, NONE, NONE, NONE, NONE,
	/* b0 */ ROW8(BYTE),
	/* b8 */ ROW8(WIDE),
	/* c0 */ M | BYTE, M | BYTE, RETURN | WORD, RETURN, PREFIX, PREFIX,
	/* c6 */ G | BYTE, G | FULL,
	/* c8 */ ENTER, NONE, RETURN | WORD, RETURN,
	/* cc */ TRAP, SYSTEM | BYTE, UNKNOWN, RETURN,
	/* d0 */ M, M, M, M, UNKNOWN, UNKNOWN, UNKNOWN, NONE,
	/* d8 */ ROW8(M),
	/* e0 */ BRANCH | NEAR, BRANCH | NEAR, BRANCH | NEAR, BRANCH | NEAR,
	/* e4 */ BYTE, BYTE, BYTE, BYTE,
	/* e8 */ CALL | FAR, JUMP | FAR, UNKNOWN, JUMP | NEAR,
	/* ec */ NONE, NONE, NONE, NONE,
	/* f0 */ PREFIX, TRAP, PREFIX, PREFIX, TRAP, NONE, G, G,
	/* f8 */ NONE, NONE, NONE, NONE, NONE, NONE, G, G,
};

static const uint16_t two_bytes[256] = {
	/* 00 */ M, M, M, M, UNKNOWN, SYSTEM, NONE, RETURN,
	/* 08 */ NONE, NONE, UNKNOWN, TRAP, UNKNOWN, M, NONE, M | BYTE,
	/* 10 */ ROW16(M),
	/* 20 */ G, G, G, G, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
	/* 28 */ ROW8(M),
	/* 30 */ NONE, NONE, NONE, NONE, SYSTEM, RETURN, UNKNOWN, NONE,
	/* 38 */ PREFIX, UNKNOWN, PREFIX, UNKNOWN,
	/* 3c */ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
	/* 40 */ ROW16(M),
	/* 50 */ ROW16(M),
	/* 60 */ ROW16(M),
	/* 70 */ M | BYTE, G | BYTE, G | BYTE, G | BYTE, M, M, M, NONE,
	/* 78 */ G, M, UNKNOWN, UNKNOWN, M, M, M, M,
	/* 80 */ ROW16(BRANCH | FAR),
	/* 90 */ ROW16(M),
	/* a0 */ NONE, NONE, NONE, M, M | BYTE, M, G, G,
	/* a8 */ NONE, NONE, NONE, M, M | BYTE, M, M, M,
	/* b0 */ ROW8(M),
	/* b8 */ G, M | TRAP, G | BYTE, M, M, M, M, M,
	/* c0 */ M, M, M | BYTE, M, M | BYTE, M | BYTE, M | BYTE, M,
	/* c8 */ ROW8(NONE),
	/* d0 */ ROW16(M),
	/* e0 */ ROW16(M),
	/* f0 */ ROW8(M),
	/* f8 */ M, M, M, M, M, M, M, M | TRAP,
};
/* clang-format on */

static bool is_known(const struct known *known, unsigned int opcode)
{
	return known->row[opcode >> 4] >> (opcode & 15) & 1;
}

struct cursor {
	const unsigned char *code;
	size_t at, size;
};

/* One more byte. */
static inline bool take(struct cursor *c, uint8_t *byte)
{
	if (c->at >= c->size)
		return false;
	*byte = c->code[c->at++];
	return true;
}

static unsigned int prefix_of(uint8_t byte)
{
	switch (byte) {
	case 0x66:
		return PTL_X86_OPERAND;
	case 0x67:
		return PTL_X86_ADDRESS;
	case 0xf0:
		return PTL_X86_LOCK;
	case 0xf2:
		return PTL_X86_REPNE;
	case 0xf3:
		return PTL_X86_REP;
	case 0x3e:
		return PTL_X86_NOTRACK;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x64:
	case 0x65:
		return PTL_X86_SEGMENT;
	default:
		return 0;
	}
}

/* Up to the first byte that is none: *byte.  REX is the last of them, or it has
 * no effect, which is no code that anybody writes. */
static inline bool take_prefixes(struct cursor *c, struct ptl_x86 *insn,
				 uint8_t *byte)
{
	for (;;) {
		unsigned int prefix;

		if (!take(c, byte))
			return false;
		/* Most instructions have none but REX. */
		if (one_byte[*byte] != PREFIX)
			return true;
		if (PTL_LIKELY((*byte & 0xf0) == 0x40))
			break;
		prefix = prefix_of(*byte);
		if (prefix == 0)
			return true;
		insn->prefixes |= (uint8_t)prefix;
	}
	insn->rex = *byte;
	static_assert(PTL_X86_WIDE == 8 << 4, "REX.W");
	insn->prefixes |= (uint8_t)((*byte & 8) << 4);
	if (!take(c, byte))
		return false;
	return one_byte[*byte] != PREFIX ||
	       ((*byte & 0xf0) != 0x40 && prefix_of(*byte) == 0);
}

/* What these say before the opcode was said by other prefixes, earlier. */
#define BEFORE_VEX \
	(PTL_X86_OPERAND | PTL_X86_REPNE | PTL_X86_REP | PTL_X86_LOCK)

static bool has_byte_in_map_1(uint8_t opcode)
{
	return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
	       (opcode >= 0xc4 && opcode <= 0xc6);
}

/* VEX, EVEX: the map is `number'. */
static unsigned int vector_operands(const struct known *known,
				    unsigned int number, uint8_t opcode)
{
	if (!is_known(known, opcode))
		return UNKNOWN;
	if (number == 3 || (number == 1 && has_byte_in_map_1(opcode)))
		return M | BYTE;
	return M;
}

/* c4, c5; *what is what follows. */
static bool take_vex(struct cursor *c, struct ptl_x86 *insn, uint8_t first,
		     unsigned int *what)
{
	static const struct known *const known[] = {&vex_1, &vex_2, &vex_3};
	unsigned int number = 1;
	uint8_t byte;

	if (insn->prefixes & BEFORE_VEX || insn->rex != 0 || !take(c, &byte))
		return false;
	if (first == 0xc4) {
		number = byte & 0x1f;
		if (number < 1 || number > 3 || !take(c, &byte))
			return false;
		if (byte & 0x80)
			insn->prefixes |= PTL_X86_WIDE;
	}
	if (!take(c, &insn->opcode))
		return false;
	insn->map = (uint8_t)(PTL_X86_VEX + number - 1);
	*what = vector_operands(known[number - 1], number, insn->opcode);
	if (number == 1 && insn->opcode == 0x77) /* vzeroupper */
		*what = NONE;
	return true;
}

/* 62. */
static bool take_evex(struct cursor *c, struct ptl_x86 *insn,
		      unsigned int *what)
{
	static const struct known *const known[] = {&evex_1, &evex_2, &evex_3,
						    NULL,    &evex_5, &evex_6};
	unsigned int number;
	uint8_t byte[3];

	if (insn->prefixes & BEFORE_VEX || insn->rex != 0)
		return false;
	for (int i = 0; i < 3; i++)
		if (!take(c, &byte[i]))
			return false;
	number = byte[0] & 7;
	if (byte[0] & 8 || !(byte[1] & 4) || number < 1 || number > 6 ||
	    number == 4 || !take(c, &insn->opcode))
		return false;
	if (byte[1] & 0x80)
		insn->prefixes |= PTL_X86_WIDE;
	insn->map = (uint8_t)(PTL_X86_EVEX + number - 1);
	*what = vector_operands(known[number - 1], number, insn->opcode);
	return true;
}

/* 8f, of older AMD processors; with another byte behind it that is `pop'. */
static bool take_xop(struct cursor *c, struct ptl_x86 *insn, unsigned int *what)
{
	static const struct known *const known[] = {&xop_8, &xop_9, &xop_10};
	static const uint8_t operands[] = {M | BYTE, M, M | FULL};
	unsigned int number;
	uint8_t byte;

	if (insn->prefixes & BEFORE_VEX || insn->rex != 0 || !take(c, &byte))
		return false;
	number = byte & 0x1f;
	if (number < 8 || number > 10 || !take(c, &byte) ||
	    !take(c, &insn->opcode))
		return false;
	if (byte & 0x80)
		insn->prefixes |= PTL_X86_WIDE;
	insn->map = (uint8_t)(PTL_X86_XOP + number - 8);
	*what = is_known(known[number - 8], insn->opcode) ?
			operands[number - 8] :
			UNKNOWN;
	return true;
}

static bool is_xop(const struct cursor *c)
{
	return c->at < c->size && (c->code[c->at] & 0x1f) >= 8;
}

/* Behind 0f. */
static bool take_two_bytes(struct cursor *c, struct ptl_x86 *insn,
			   unsigned int *what)
{
	if (!take(c, &insn->opcode))
		return false;
	insn->map = PTL_X86_0F;
	*what = two_bytes[insn->opcode];
	if (insn->opcode == 0x38) {
		insn->map = PTL_X86_0F38;
		if (!take(c, &insn->opcode))
			return false;
		*what = is_known(&map_0f38, insn->opcode) ? M : UNKNOWN;
	} else if (insn->opcode == 0x3a) {
		insn->map = PTL_X86_0F3A;
		if (!take(c, &insn->opcode))
			return false;
		*what = is_known(&map_0f3a, insn->opcode) ? M | BYTE : UNKNOWN;
	}
	return true;
}

/* The opcode, with its escapes; the first byte has been taken. */
static inline bool take_opcode(struct cursor *c, struct ptl_x86 *insn,
			       uint8_t first, unsigned int *what)
{
	*what = one_byte[first];
	insn->opcode = first;
	if (PTL_LIKELY(*what != PREFIX))
		return true;
	if (first == 0x0f)
		return take_two_bytes(c, insn, what);
	if (first == 0xc4 || first == 0xc5)
		return take_vex(c, insn, first, what);
	if (first == 0x62)
		return take_evex(c, insn, what);
	/* The last of them, 8f. */
	if (is_xop(c))
		return take_xop(c, insn, what);
	*what = G;
	return true;
}

/* Behind ModRM, by its first two bits and its last three: so many bytes of an
 * address, and SIB before that; or the address is relative. */
#define SIB 0x08
#define RIP 0x10
/* clang-format off */
static const uint8_t behind_modrm[32] = {
	0, 0, 0, 0, SIB,     RIP | 4, 0, 0,
	1, 1, 1, 1, SIB | 1, 1, 1, 1,
	4, 4, 4, 4, SIB | 4, 4, 4, 4,
};
/* clang-format on */

/* Control and debug registers: ModRM means a register, whatever it says. */
static bool is_control(const struct ptl_x86 *insn)
{
	return insn->map == PTL_X86_0F && insn->opcode >= 0x20 &&
	       insn->opcode <= 0x23;
}

/* ModRM, SIB and displacement.  What of it there is is counted, not asked:
 * processors guess badly what comes next. */
static inline bool take_modrm(struct cursor *c, struct ptl_x86 *insn,
			      unsigned int what)
{
	unsigned int behind, size, rip;

	if (!take(c, &insn->modrm))
		return false;
	insn->has_modrm = true;
	behind = behind_modrm[(insn->modrm >> 3 & 0x18) | (insn->modrm & 7)];
	if (what & GROUP && is_control(insn))
		behind = 0;
	/* Without a base there is an address. */
	if (behind == SIB && c->at < c->size && (c->code[c->at] & 7) == 5)
		behind = SIB | 4;
	size = behind & 7;
	rip = behind >> 4;
	c->at += behind >> 3 & 1;
	insn->is_rip = rip;
	insn->relative = (uint8_t)(c->at * rip);
	insn->relative_size = (uint8_t)(size * rip);
	insn->displacement = (uint8_t)c->at;
	insn->displacement_size = (uint8_t)(size - size * rip);
	c->at += size;
	return c->at <= c->size;
}

static unsigned int full(const struct ptl_x86 *insn)
{
	return (insn->prefixes & (PTL_X86_OPERAND | PTL_X86_WIDE)) ==
			       PTL_X86_OPERAND ?
		       2 :
		       4;
}

static unsigned int constant_of(const struct ptl_x86 *insn, unsigned int what)
{
	switch (what) {
	case BYTE:
		return 1;
	case WORD:
		return 2;
	case FULL:
		return full(insn);
	case WIDE:
		return insn->prefixes & PTL_X86_WIDE ? 8 : full(insn);
	case ENTER:
		return 3;
	case MEMORY:
		return insn->prefixes & PTL_X86_ADDRESS ? 4 : 8;
	default:
		return 0;
	}
}

/* Opcodes whose meaning is in the register of ModRM; false: it has none. */
static bool is_one_byte_group_known(const struct ptl_x86 *insn,
				    unsigned int *what)
{
	unsigned int reg = insn->modrm >> 3 & 7;
	bool is_register = insn->modrm >= 0xc0;

	switch (insn->opcode) {
	case 0x8d: /* lea */
		return !is_register;
	case 0x8f: /* pop */
		return reg == 0;
	case 0xc6: /* mov, xabort */
		if (insn->modrm == 0xf8)
			*what |= SYSTEM;
		return reg == 0 || insn->modrm == 0xf8;
	case 0xc7: /* mov, xbegin */
		if (insn->modrm == 0xf8)
			*what = BRANCH | FAR;
		return reg == 0 || insn->modrm == 0xf8;
	case 0xf6: /* test, and others that have no constant */
		*what = reg < 2 ? BYTE : NONE;
		return true;
	case 0xf7:
		*what = reg < 2 ? FULL : NONE;
		return true;
	case 0xfe:
		return reg < 2;
	case 0xff: /* far calls and jumps are by memory */
		*what = reg == 2 || reg == 3 ? CALL_INDIRECT :
			reg == 4 || reg == 5 ? JUMP_INDIRECT :
					       NONE;
		return reg != 7 && !(is_register && (reg == 3 || reg == 5));
	default:
		return true;
	}
}

/* Opcodes of such groups behind 0f; false likewise. */
static bool is_0f_group_known(const struct ptl_x86 *insn, unsigned int *what)
{
	switch (insn->opcode) {
	case 0x71: /* shifts */
	case 0x72:
	case 0x73:
		return insn->modrm >= 0xc0;
	case 0x78: /* vmread; extrq, insertq: two constants */
		if (insn->prefixes & (PTL_X86_OPERAND | PTL_X86_REPNE))
			*what = WORD;
		return true;
	case 0xa6: /* of VIA */
	case 0xa7:
		return insn->modrm >= 0xc0;
	case 0xb8: /* popcnt */
		return insn->prefixes & PTL_X86_REP;
	case 0xba: /* bt and its kin */
		return (insn->modrm >> 3 & 7) >= 4;
	default:
		return true;
	}
}

static bool is_group_known(const struct ptl_x86 *insn, unsigned int *what)
{
	return insn->map == PTL_X86_ONE_BYTE ?
		       is_one_byte_group_known(insn, what) :
		       is_0f_group_known(insn, what);
}

/* What is behind ModRM. */
static bool take_constant(struct cursor *c, struct ptl_x86 *insn,
			  unsigned int what)
{
	if (what == NEAR || what == FAR) {
		/* With 66 they are shorter for some processors. */
		if (what == FAR && full(insn) == 2)
			return false;
		insn->relative = (uint8_t)c->at;
		insn->relative_size = what == NEAR ? 1 : 4;
		c->at += insn->relative_size;
	} else {
		insn->constant = (uint8_t)c->at;
		insn->constant_size = (uint8_t)constant_of(insn, what);
		c->at += insn->constant_size;
	}
	return c->at <= c->size;
}

bool ptl_x86_decode(const unsigned char *code, size_t size,
		    struct ptl_x86 *insn)
{
	struct cursor c = {code, 0, PTL_MIN(size, PTL_X86_LONGEST)};
	unsigned int what;
	uint8_t first;

	*insn = (struct ptl_x86){0};
	if (!take_prefixes(&c, insn, &first) ||
	    !take_opcode(&c, insn, first, &what) || what == UNKNOWN)
		return false;
	if (what & M && !take_modrm(&c, insn, what))
		return false;
	if (what & GROUP && !is_group_known(insn, &what))
		return false;
	if ((what & BEHIND) != NONE && !take_constant(&c, insn, what & BEHIND))
		return false;
	insn->size = (uint8_t)c.at;
	insn->kind = (uint8_t)(what >> KIND_SHIFT);
	return true;
}
