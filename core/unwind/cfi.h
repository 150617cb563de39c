/* SPDX-License-Identifier: MIT */
/*
 * Call frame information (.eh_frame, DWARF): the rules by which the caller's
 * registers are found, for an address in the program. x86-64 only.
 */
#ifndef PTL_CORE_UNWIND_CFI_H
#define PTL_CORE_UNWIND_CFI_H

#include "core/unwind/dwarf.h"
#include "core/unwind/expression.h"
#include "core/unwind/object.h"

/* DWARF's register numbers. */
#define PTL_CFI_RBP 6
#define PTL_CFI_RSP 7
#define PTL_CFI_RIP 16

enum ptl_cfi_how {
	PTL_CFI_SAME, /* no rule: unchanged */
	PTL_CFI_UNDEFINED,
	PTL_CFI_OFFSET,	    /* saved at CFA + value */
	PTL_CFI_VAL_OFFSET, /* CFA + value itself */
	PTL_CFI_REGISTER,   /* the value of register `value' */
	PTL_CFI_EXPRESSION, /* saved where the expression says */
	PTL_CFI_VAL_EXPRESSION,
};

/* The value of an expression is its position in bytes from row.base; all of it
 * is within the object. */
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

/* What all entries with the same CIE have in common. */
struct ptl_cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	unsigned int enc;
	bool has_augmentation;
	struct ptl_dwarf insns;
};

/* A program of rules, executed up to an address. */
struct ptl_cfi_run {
	struct ptl_cfi_cie cie;
	struct ptl_dwarf insns; /* behind those of the CIE */
	struct ptl_cfi_row *row;
	struct ptl_cfi_row initial; /* what the restore instructions restore */
	uint64_t at, pc;
	struct ptl_cfi_row remembered[PTL_CFI_REMEMBERED];
	unsigned int nr_remembered;
};

/*
 * The rules at pc, from the table .eh_frame_hdr of the object at pc.  False:
 * the table has none, or none that is supported.  The run is working memory,
 * which would be too large for a small stack.
 */
bool ptl_cfi_find(struct ptl_unwind_object *object, uint64_t table, uint64_t pc,
		  struct ptl_cfi_row *row, struct ptl_cfi_run *run);

#endif
