/* SPDX-License-Identifier: MIT */
/* Evaluates an expression of DWARF over registers and memory. */
#ifndef PTL_CORE_UNWIND_EXPRESSION_H
#define PTL_CORE_UNWIND_EXPRESSION_H

#include "core/base.h"

/* The registers of a frame, by DWARF's numbers: those of x86-64 that are
 * needed. */
#define PTL_DWARF_REGS 17

struct ptl_dwarf_regs {
	uint64_t value[PTL_DWARF_REGS];
	uint32_t known; /* a bit for each */
};

PTL_INLINE bool ptl_dwarf_knows(const struct ptl_dwarf_regs *regs, uint64_t reg)
{
	return reg < PTL_DWARF_REGS && regs->known >> reg & 1;
}

/* The stack that expressions compute on: too large for the program's. */
struct ptl_dwarf_operands {
	uint64_t value[16];
	unsigned int nr;
	bool failed;
};

/* Reads a word of memory; false if it must not be read. */
typedef bool ptl_dwarf_load(void *arg, uint64_t addr, uint64_t *value);

/*
 * Evaluates the block (a size, then so many bytes) with `initial' pushed first.
 * False: it has an unsupported operation, or needs an unknown value.
 */
bool ptl_dwarf_evaluate(struct ptl_dwarf_operands *ops,
			const unsigned char *block,
			const struct ptl_dwarf_regs *regs, uint64_t initial,
			ptl_dwarf_load *load, void *arg, uint64_t *result);

#endif
