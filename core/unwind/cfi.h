/* SPDX-License-Identifier: MIT */
/*
 * Call frame information (.eh_frame, DWARF): for an address in the program, by
 * what rules the registers of the caller are found.  x86-64 only.
 */
#ifndef PTL_CORE_UNWIND_CFI_H
#define PTL_CORE_UNWIND_CFI_H

#include "core/unwind/dwarf.h"
#include "core/unwind/expression.h"
#include "core/unwind/object.h"

/* DWARF's numbers of the registers. */
#define PTL_CFI_RBP 6
#define PTL_CFI_RSP 7
#define PTL_CFI_RIP 16

enum ptl_cfi_how {
	PTL_CFI_SAME, /* no rule: unchanged */
	PTL_CFI_UNDEFINED,
	PTL_CFI_OFFSET,	    /* saved at CFA + value */
	PTL_CFI_VAL_OFFSET, /* CFA + value itself */
	PTL_CFI_REGISTER,   /* what register `value' has */
	PTL_CFI_EXPRESSION, /* saved at what the expression gives */
	PTL_CFI_VAL_EXPRESSION,
};

/* Of an expression the value is where it is: bytes from row.base, and in the
 * object, all of it. */
struct ptl_cfi_rule {
	int32_t value;
	uint32_t how;
};

struct ptl_cfi_row {
	const unsigned char *base;
	bool is_signal; /* the caller was interrupted, it made no call */
	/* The CFA: EXPRESSION, or OFFSET from cfa_reg. */
	uint32_t cfa_reg;
	struct ptl_cfi_rule cfa;
	struct ptl_cfi_rule reg[PTL_DWARF_REGS];
};

#define PTL_CFI_REMEMBERED 3 /* states that can be remembered */

/* What the entries for functions have in common. */
struct ptl_cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	unsigned int enc;
	bool has_augmentation;
	struct ptl_dwarf insns;
};

/* A program of rules, on its way to an address. */
struct ptl_cfi_run {
	struct ptl_cfi_cie cie;
	struct ptl_cfi_row *row;
	struct ptl_cfi_row initial; /* what restore restores */
	uint64_t at, pc;
	struct ptl_cfi_row remembered[PTL_CFI_REMEMBERED];
	unsigned int nr_remembered;
};

/*
 * The rules at pc, from the table .eh_frame_hdr of the object that pc is in.
 * False: the table has none, or none that is understood.  The run is for us to
 * work in: much for a small stack.
 */
bool ptl_cfi_find(struct ptl_loaded *object, uint64_t table, uint64_t pc,
		  struct ptl_cfi_row *row, struct ptl_cfi_run *run);

#endif
