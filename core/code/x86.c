/* SPDX-License-Identifier: MIT */
/*
 * The decoder; see x86.h.  An instruction is prefixes, an opcode in one of
 * several maps, ModRM and what that has behind it, a constant.  The opcode says
 * which of these there are: two tables of 256 bytes for the older maps, one bit
 * an opcode for those where all but a few have ModRM.
 */
#include "core/code/x86.h"

#include "core/code/x86_known.h"

/* What is behind an opcode: M, ModRM; and one of: */
#define M 0x80
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
};

#define ROW8(x) x, x, x, x, x, x, x, x
#define ROW16(x) ROW8(x), ROW8(x)
#define ARITHMETIC M, M, M, M, BYTE, FULL

/* clang-format off */
static const uint8_t one_byte[256] = {
	/* 00 */ ARITHMETIC, UNKNOWN, UNKNOWN, ARITHMETIC, UNKNOWN, PREFIX,
	/* 10 */ ARITHMETIC, UNKNOWN, UNKNOWN, ARITHMETIC, UNKNOWN, UNKNOWN,
	/* 20 */ ARITHMETIC, PREFIX, UNKNOWN, ARITHMETIC, PREFIX, UNKNOWN,
	/* 30 */ ARITHMETIC, PREFIX, UNKNOWN, ARITHMETIC, PREFIX, UNKNOWN,
	/* 40 */ ROW16(PREFIX),
	/* 50 */ ROW16(NONE),
	/* 60 */ UNKNOWN, UNKNOWN, PREFIX, M, PREFIX, PREFIX, PREFIX, PREFIX,
	/* 68 */ FULL, M | FULL, BYTE, M | BYTE, NONE, NONE, NONE, NONE,
	/* 70 */ ROW16(NEAR),
	/* 80 */ M | BYTE, M | FULL, UNKNOWN, M | BYTE, M, M, M, M,
	/* 88 */ ROW8(M),
	/* 90 */ ROW8(NONE),
	/* 98 */ NONE, NONE, UNKNOWN, NONE, NONE, NONE, NONE, NONE,
	/* a0 */ MEMORY, MEMORY, MEMORY, MEMORY, NONE, NONE, NONE, NONE,
	/* a8 */ BYTE, FULL, NONE, NONE, NONE, NONE, NONE, NONE,
	/* b0 */ ROW8(BYTE),
	/* b8 */ ROW8(WIDE),
	/* c0 */ M | BYTE, M | BYTE, WORD, NONE, PREFIX, PREFIX,
	/* c6 */ M | BYTE, M | FULL,
	/* c8 */ ENTER, NONE, WORD, NONE, NONE, BYTE, UNKNOWN, NONE,
	/* d0 */ M, M, M, M, UNKNOWN, UNKNOWN, UNKNOWN, NONE,
	/* d8 */ ROW8(M),
	/* e0 */ NEAR, NEAR, NEAR, NEAR, BYTE, BYTE, BYTE, BYTE,
	/* e8 */ FAR, FAR, UNKNOWN, NEAR, NONE, NONE, NONE, NONE,
	/* f0 */ PREFIX, NONE, PREFIX, PREFIX, NONE, NONE, M, M,
	/* f8 */ NONE, NONE, NONE, NONE, NONE, NONE, M, M,
};

static const uint8_t two_bytes[256] = {
	/* 00 */ M, M, M, M, UNKNOWN, NONE, NONE, NONE,
	/* 08 */ NONE, NONE, UNKNOWN, NONE, UNKNOWN, M, NONE, M | BYTE,
	/* 10 */ ROW16(M),
	/* 20 */ M, M, M, M, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
	/* 28 */ ROW8(M),
	/* 30 */ NONE, NONE, NONE, NONE, NONE, NONE, UNKNOWN, NONE,
	/* 38 */ PREFIX, UNKNOWN, PREFIX, UNKNOWN,
	/* 3c */ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
	/* 40 */ ROW16(M),
	/* 50 */ ROW16(M),
	/* 60 */ ROW16(M),
	/* 70 */ M | BYTE, M | BYTE, M | BYTE, M | BYTE, M, M, M, NONE,
	/* 78 */ M, M, UNKNOWN, UNKNOWN, M, M, M, M,
	/* 80 */ ROW16(FAR),
	/* 90 */ ROW16(M),
	/* a0 */ NONE, NONE, NONE, M, M | BYTE, M, M, M,
	/* a8 */ NONE, NONE, NONE, M, M | BYTE, M, M, M,
	/* b0 */ ROW8(M),
	/* b8 */ M, M, M | BYTE, M, M, M, M, M,
	/* c0 */ M, M, M | BYTE, M, M | BYTE, M | BYTE, M | BYTE, M,
	/* c8 */ ROW8(NONE),
	/* d0 */ ROW16(M),
	/* e0 */ ROW16(M),
	/* f0 */ ROW16(M),
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
static bool take_prefixes(struct cursor *c, struct ptl_x86 *insn, uint8_t *byte)
{
	for (;;) {
		unsigned int prefix;

		if (!take(c, byte))
			return false;
		if (PTL_LIKELY((*byte & 0xf0) == 0x40))
			break;
		/* Most instructions have none. */
		if (one_byte[*byte] != PREFIX)
			return true;
		prefix = prefix_of(*byte);
		if (prefix == 0)
			return true;
		insn->prefixes |= (uint8_t)prefix;
	}
	insn->rex = *byte;
	if (*byte & 8)
		insn->prefixes |= PTL_X86_WIDE;
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
static bool take_opcode(struct cursor *c, struct ptl_x86 *insn, uint8_t first,
			unsigned int *what)
{
	if (first == 0x0f)
		return take_two_bytes(c, insn, what);
	if (first == 0xc4 || first == 0xc5)
		return take_vex(c, insn, first, what);
	if (first == 0x62)
		return take_evex(c, insn, what);
	if (first == 0x8f && is_xop(c))
		return take_xop(c, insn, what);
	insn->opcode = first;
	*what = one_byte[first];
	return true;
}

static void put_displacement(struct cursor *c, struct ptl_x86 *insn,
			     unsigned int size)
{
	insn->displacement = (uint8_t)c->at;
	insn->displacement_size = (uint8_t)size;
	c->at += size;
}

/* ModRM, SIB and displacement. */
static bool take_modrm(struct cursor *c, struct ptl_x86 *insn)
{
	unsigned int mod, rm;
	uint8_t sib = 0;

	if (!take(c, &insn->modrm))
		return false;
	insn->has_modrm = true;
	mod = insn->modrm >> 6;
	rm = insn->modrm & 7;
	/* Of control and debug registers: whatever it says, a register. */
	if (mod == 3 || (insn->map == PTL_X86_0F && insn->opcode >= 0x20 &&
			 insn->opcode <= 0x23))
		return true;
	if (rm == 4 && !take(c, &sib))
		return false;
	if (mod == 0 && rm == 5) {
		insn->is_rip = true;
		insn->relative = (uint8_t)c->at;
		insn->relative_size = 4;
		c->at += 4;
	} else if (mod == 2 || (mod == 0 && rm == 4 && (sib & 7) == 5)) {
		put_displacement(c, insn, 4);
	} else if (mod == 1) {
		put_displacement(c, insn, 1);
	}
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
static bool is_group_known(const struct ptl_x86 *insn, unsigned int *what)
{
	unsigned int reg = insn->modrm >> 3 & 7;
	bool is_register = insn->modrm >= 0xc0;

	switch (insn->opcode) {
	case 0x8d: /* lea */
		return !is_register;
	case 0x8f: /* pop */
		return reg == 0;
	case 0xc6: /* mov, xabort */
	case 0xc7: /* mov, xbegin */
		if (insn->modrm == 0xf8 && insn->opcode == 0xc7) {
			*what = FAR;
			return true;
		}
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

static unsigned int kind_in_one_byte(const struct ptl_x86 *insn)
{
	unsigned int reg = insn->modrm >> 3 & 7;

	switch (insn->opcode) {
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3:
		return PTL_X86_BRANCH;
	case 0xe8:
		return PTL_X86_CALL;
	case 0xe9:
	case 0xeb:
		return PTL_X86_JUMP;
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcf:
		return PTL_X86_RETURN;
	case 0xcc:
	case 0xf1:
	case 0xf4:
		return PTL_X86_TRAP;
	case 0xcd:
		return PTL_X86_SYSTEM;
	case 0xc6:
		return reg == 7 ? PTL_X86_SYSTEM : PTL_X86_PLAIN;
	case 0xc7:
		return reg == 7 ? PTL_X86_BRANCH : PTL_X86_PLAIN;
	case 0xff:
		if (reg == 2 || reg == 3)
			return PTL_X86_CALL_INDIRECT;
		return reg == 4 || reg == 5 ? PTL_X86_JUMP_INDIRECT :
					      PTL_X86_PLAIN;
	default:
		return PTL_X86_PLAIN;
	}
}

static unsigned int kind_of(const struct ptl_x86 *insn)
{
	if (insn->map == PTL_X86_ONE_BYTE)
		return kind_in_one_byte(insn);
	if (insn->map != PTL_X86_0F)
		return PTL_X86_PLAIN;
	switch (insn->opcode) {
	case 0x80 ... 0x8f:
		return PTL_X86_BRANCH;
	case 0x05: /* syscall, sysenter */
	case 0x34:
		return PTL_X86_SYSTEM;
	case 0x07: /* sysret, sysexit */
	case 0x35:
		return PTL_X86_RETURN;
	case 0x0b: /* ud2, ud1, ud0 */
	case 0xb9:
	case 0xff:
		return PTL_X86_TRAP;
	default:
		return PTL_X86_PLAIN;
	}
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
	    !take_opcode(&c, insn, first, &what) || what == UNKNOWN ||
	    what == PREFIX)
		return false;
	if (what & M) {
		what &= (unsigned int)~M;
		if (!take_modrm(&c, insn) ||
		    (insn->map == PTL_X86_ONE_BYTE &&
		     !is_group_known(insn, &what)) ||
		    (insn->map == PTL_X86_0F &&
		     !is_0f_group_known(insn, &what)))
			return false;
	}
	if (!take_constant(&c, insn, what))
		return false;
	insn->size = (uint8_t)c.at;
	insn->kind = (uint8_t)kind_of(insn);
	return true;
}
