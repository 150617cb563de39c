/* SPDX-License-Identifier: MIT */
/*
 * Instructions of x86-64: how long one is, how it goes on, and what in it is
 * relative to where it stands: what one has to know to find all code of a
 * function, and to move an instruction elsewhere.  Nothing is known of what it
 * computes.
 *
 * Any bytes can be given: none is read beyond those, and what is no instruction
 * in 64-bit mode, or none that is known, is told.  Processors of different
 * makers differ in a few (a jump with the prefix 66): these are not known.  No
 * memory, no state, no other function is used: it may run anywhere, in a traced
 * process, too.
 */
#ifndef PTL_CORE_CODE_X86_H
#define PTL_CORE_CODE_X86_H

#include "core/base.h"

#include <string.h>

#define PTL_X86_LONGEST 15

enum ptl_x86_kind {
	PTL_X86_PLAIN, /* goes on behind itself */
	PTL_X86_CALL,
	PTL_X86_CALL_INDIRECT,
	PTL_X86_BRANCH, /* a conditional jump; also loop, jrcxz, xbegin */
	PTL_X86_JUMP,
	PTL_X86_JUMP_INDIRECT,
	PTL_X86_RETURN, /* also from interrupts */
	PTL_X86_TRAP,	/* ud2, int3, hlt: nothing goes on behind it */
	PTL_X86_SYSTEM, /* goes to the kernel: syscall, int; and back; xabort */
};

enum ptl_x86_map {
	PTL_X86_ONE_BYTE,
	PTL_X86_0F,
	PTL_X86_0F38,
	PTL_X86_0F3A,
	PTL_X86_VEX, /* map 1; the next ones are map 2, 3 */
	PTL_X86_EVEX = PTL_X86_VEX + 7,
	PTL_X86_XOP = PTL_X86_EVEX + 7, /* map 8 */
};

/* Prefixes, for `prefixes'. */
enum {
	PTL_X86_OPERAND = 1,  /* 66 */
	PTL_X86_ADDRESS = 2,  /* 67 */
	PTL_X86_REPNE = 4,    /* f2; bnd */
	PTL_X86_REP = 8,      /* f3 */
	PTL_X86_LOCK = 16,    /* f0 */
	PTL_X86_NOTRACK = 32, /* 3e; DS */
	PTL_X86_SEGMENT = 64, /* another one */
	PTL_X86_WIDE = 128,   /* REX.W */
};

/* Places are numbers of bytes from the first one. */
struct ptl_x86 {
	uint8_t size;
	uint8_t kind; /* enum ptl_x86_kind */
	uint8_t map;  /* enum ptl_x86_map, or a number behind one */
	uint8_t opcode;
	uint8_t prefixes;
	uint8_t rex; /* 0: there is none */
	bool has_modrm;
	uint8_t modrm;

	/*
	 * An operand that is relative to the end of the instruction: of one
	 * byte or four; or none (0).  By ModRM (is_rip) it is where data are,
	 * always of four bytes; else where the instruction goes.
	 */
	uint8_t relative, relative_size;
	bool is_rip;

	/* Constants of other kinds, the last bytes of it: all of them. */
	uint8_t constant, constant_size;

	/* What is added to an address in registers, or an address. */
	uint8_t displacement, displacement_size;
};

/* False: the bytes do not begin with an instruction that is known, all of which
 * is there.  *insn is undefined then. */
bool ptl_x86_decode(const unsigned char *code, size_t size,
		    struct ptl_x86 *insn);

/* Does nothing: what compilers put between code. */
PTL_INLINE bool ptl_x86_is_nop(const struct ptl_x86 *insn)
{
	if (insn->map == PTL_X86_ONE_BYTE)
		return insn->opcode == 0x90 && !(insn->rex & 1) &&
		       !(insn->prefixes & PTL_X86_REP);
	return insn->map == PTL_X86_0F && insn->opcode == 0x1f;
}

/* endbr64: a mark for indirect branches. */
PTL_INLINE bool ptl_x86_is_endbr(const struct ptl_x86 *insn)
{
	return insn->map == PTL_X86_0F && insn->opcode == 0x1e &&
	       insn->prefixes & PTL_X86_REP && insn->modrm == 0xfa;
}

/* Where the relative operand of the instruction at this address leads. */
PTL_INLINE uint64_t ptl_x86_target(const struct ptl_x86 *insn,
				   const unsigned char *code, uint64_t address)
{
	int32_t distance = (int8_t)code[insn->relative];

	if (insn->relative_size == 4)
		memcpy(&distance, code + insn->relative, sizeof(distance));
	return address + insn->size + (uint64_t)(int64_t)distance;
}

#endif
