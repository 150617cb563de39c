/* SPDX-License-Identifier: MIT */
/*
 * Instructions of aarch64 (A64), as x86.h has those of x86-64: how one goes on,
 * and what in it is relative to where it stands.  Each is a word of four bytes.
 * No memory, no state, no other function is used: it may run anywhere.
 */
#ifndef PTL_CORE_CODE_A64_H
#define PTL_CORE_CODE_A64_H

#include "core/base.h"

#define PTL_A64_SIZE 4

enum ptl_a64_kind {
	PTL_A64_PLAIN, /* goes on behind itself */
	PTL_A64_CALL,
	PTL_A64_CALL_INDIRECT,
	PTL_A64_BRANCH, /* on a condition */
	PTL_A64_JUMP,
	PTL_A64_JUMP_INDIRECT,
	PTL_A64_RETURN,
	PTL_A64_TRAP,	/* udf, brk, hlt: nothing goes on behind it */
	PTL_A64_SYSTEM, /* goes to the kernel, or further, and back */
};

/* What is relative in it. */
enum ptl_a64_relative {
	PTL_A64_ABSOLUTE, /* nothing */
	PTL_A64_26,	  /* b, bl: how many bits, in words */
	PTL_A64_19,	  /* b.cond, cbz, cbnz */
	PTL_A64_14,	  /* tbz, tbnz */
	PTL_A64_LITERAL,  /* 19 bits, too: what is there is loaded */
	PTL_A64_ADR,	  /* an address, 21 bits, in bytes */
	PTL_A64_ADRP,	  /* that of a page, in pages */
};

struct ptl_a64 {
	uint32_t word;
	uint8_t kind;	  /* enum ptl_a64_kind */
	uint8_t relative; /* enum ptl_a64_relative */
};

#define PTL_A64_PAGE UINT64_C(4096)
#define PTL_A64_LINK 30 /* the register with the return address */
#define PTL_A64_SP 31	/* the stack pointer, or none, as it is used */

#define PTL_A64_NOP 0xd503201fu

/* False: it is no instruction, or none that is known; *insn is undefined then.
 * Of what does not go elsewhere, and is not relative, not all is known. */
bool ptl_a64_decode(uint32_t word, struct ptl_a64 *insn);

/* Where the relative operand of the instruction at this address leads. */
uint64_t ptl_a64_target(const struct ptl_a64 *insn, uint64_t address);

/* Makes an instruction lead elsewhere; false: that is too far, or its
 * operand cannot be that. */
bool ptl_a64_lead(const struct ptl_a64 *insn, uint64_t address, uint64_t to,
		  uint32_t *word);

/* The registers that most have at these places. */
PTL_INLINE unsigned int ptl_a64_rd(uint32_t word)
{
	return word & 31;
}

PTL_INLINE unsigned int ptl_a64_rn(uint32_t word)
{
	return word >> 5 & 31;
}

/* Where an indirect branch may lead: bti c, which bti jc is, too; paciasp and
 * pacibsp are such marks themselves. */
PTL_INLINE bool ptl_a64_is_landing(uint32_t word)
{
	return word == 0xd503245fu || word == 0xd50324dfu ||
	       word == 0xd503233fu || word == 0xd503237fu;
}

/* blr, of an address that is not signed. */
PTL_INLINE bool ptl_a64_is_blr(uint32_t word)
{
	return (word & 0xfffffc1fu) == 0xd63f0000u;
}

/* add Rd, Rn, #constant, of 64 bits, as it completes what adrp begins. */
PTL_INLINE bool ptl_a64_is_add(uint32_t word, uint64_t *constant)
{
	*constant = word >> 10 & 0xfff;
	return (word & 0xffc00000u) == 0x91000000u;
}

#endif
