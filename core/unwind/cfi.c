/* SPDX-License-Identifier: MIT */
/*
 * Reads .eh_frame.  Only what compilers generate is supported; anything else
 * counts as no rule.  The tables are the program's own, mapped with the code
 * that runs, and may be damaged: addresses and sizes in them are used only
 * within their segment.  Every loop ends.
 */
#include "core/unwind/cfi.h"

#include "core/unwind/dwarf.h"

#include <string.h>

#if defined(__x86_64__)

/* How pointers are encoded (DW_EH_PE_*). */
#define ENC_FORMAT 0x0f
#define ENC_PCREL 0x10
#define ENC_INDIRECT 0x80
#define ENC_HDR_TABLE 0x3b /* datarel | sdata4 */

/* An encoded pointer.  False: an encoding that code addresses do not have. */
static bool take_pointer(struct ptl_dwarf *b, unsigned int enc, uint64_t *value)
{
	uint64_t here = (uintptr_t)b->at;

	switch (enc & ENC_FORMAT) {
	case 0x0: /* absptr */
	case 0x4: /* udata8 */
	case 0xc: /* sdata8 */
		*value = ptl_dwarf_take(b, 8);
		break;
	case 0x2:
		*value = ptl_dwarf_take(b, 2);
		break;
	case 0x3:
		*value = ptl_dwarf_take(b, 4);
		break;
	case 0xa:
		*value = (uint64_t)ptl_dwarf_signed(b, 2);
		break;
	case 0xb:
		*value = (uint64_t)ptl_dwarf_signed(b, 4);
		break;
	default:
		return false;
	}
	if ((enc & 0x70) == ENC_PCREL)
		*value += here;
	else if (enc & 0x70)
		return false;
	return true;
}

/* The contents of an entry, after its length. */
static bool entry_at(struct ptl_unwind_object *object, uint64_t addr,
		     struct ptl_dwarf *b)
{
	uint64_t size;

	if (!ptl_loaded_at(object, addr, b))
		return false;
	size = ptl_dwarf_take(b, 4);
	/* 64-bit DWARF, the end of the section, or beyond it. */
	if (size == UINT32_MAX || size <= 4 || size > (size_t)(b->end - b->at))
		return false;
	b->end = b->at + size;
	return true;
}

static bool take_augmentation(struct ptl_dwarf *b, const char *letters,
			      struct ptl_cfi_cie *cie, bool *is_signal)
{
	struct ptl_dwarf aug = {b->at, b->end};
	uint64_t size, ignored;

	if (*letters == '\0')
		return true;
	if (*letters++ != 'z')
		return false;
	size = ptl_dwarf_uleb(b);
	if (size > (size_t)(b->end - b->at))
		return false;
	cie->has_augmentation = true;
	aug = (struct ptl_dwarf){b->at, b->at + size};
	b->at += size;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->enc = (unsigned int)ptl_dwarf_take(&aug, 1);
			break;
		case 'L':
			ptl_dwarf_take(&aug, 1);
			break;
		case 'P':
			if (!take_pointer(
				    &aug,
				    (unsigned int)ptl_dwarf_take(&aug, 1) &
					    ENC_FORMAT,
				    &ignored))
				return false;
			break;
		case 'S':
			*is_signal = true;
			break;
		default:
			return false;
		}
	}
	return true;
}

static __attribute__((noinline)) bool
parse_cie(struct ptl_unwind_object *object, uint64_t addr,
	  struct ptl_cfi_cie *cie, bool *is_signal)
{
	const char *letters;
	unsigned int version;
	struct ptl_dwarf b;

	*cie = (struct ptl_cfi_cie){0};
	if (!entry_at(object, addr, &b) || ptl_dwarf_take(&b, 4) != 0)
		return false;
	version = (unsigned int)ptl_dwarf_take(&b, 1);
	if (version != 1 && version != 3)
		return false;
	letters = (const char *)b.at;
	while (!ptl_dwarf_done(&b) && *b.at)
		b.at++;
	if (ptl_dwarf_done(&b))
		return false;
	b.at++;
	cie->code_align = ptl_dwarf_uleb(&b);
	cie->data_align = ptl_dwarf_sleb(&b);
	/* The return address must be in the register where we look for it. */
	if ((version == 1 ? ptl_dwarf_take(&b, 1) : ptl_dwarf_uleb(&b)) !=
	    PTL_CFI_RIP)
		return false;
	if (!take_augmentation(&b, letters, cie, is_signal))
		return false;
	cie->insns = b;
	return true;
}

static void set_rule(struct ptl_cfi_run *run, uint64_t reg,
		     enum ptl_cfi_how how, int64_t value)
{
	if (reg < PTL_DWARF_REGS)
		run->row->reg[reg] = (struct ptl_cfi_rule){(int32_t)value, how};
}

static void set_cfa(struct ptl_cfi_run *run, uint64_t reg, int64_t offset)
{
	run->row->cfa_reg = (uint32_t)reg;
	run->row->cfa = (struct ptl_cfi_rule){(int32_t)offset, PTL_CFI_OFFSET};
}

static int64_t factored(const struct ptl_cfi_run *run, uint64_t value)
{
	return (int64_t)(value * (uint64_t)run->cie.data_align);
}

/* The position of an expression, which must fit into the entry; steps over it.
 */
static bool take_block(struct ptl_cfi_run *run, struct ptl_dwarf *b,
		       int64_t *at)
{
	const unsigned char *begin = b->at;
	uint64_t size = ptl_dwarf_uleb(b);

	/* A size whose last byte is missing is invalid. */
	if (b->at == begin || b->at[-1] & 0x80 ||
	    size > (size_t)(b->end - b->at))
		return false;
	b->at += size;
	*at = (int64_t)((uintptr_t)begin - (uintptr_t)run->row->base);
	return *at == (int32_t)*at;
}

static bool restore_state(struct ptl_cfi_run *run)
{
	if (run->nr_remembered == 0)
		return false;
	*run->row = run->remembered[--run->nr_remembered];
	return true;
}

static bool remember_state(struct ptl_cfi_run *run)
{
	if (run->nr_remembered == PTL_CFI_REMEMBERED)
		return false;
	run->remembered[run->nr_remembered++] = *run->row;
	return true;
}

static void restore_rule(struct ptl_cfi_run *run, uint64_t reg)
{
	if (reg < PTL_DWARF_REGS)
		run->row->reg[reg] = run->initial.reg[reg];
}

/* The instructions that define the CFA. */
static bool execute_cfa(struct ptl_cfi_run *run, unsigned int op,
			struct ptl_dwarf *b)
{
	struct ptl_cfi_rule *cfa = &run->row->cfa;
	uint64_t reg;
	int64_t at;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = ptl_dwarf_uleb(b);
		set_cfa(run, reg, (int64_t)ptl_dwarf_uleb(b));
		return true;
	case 0x0d: /* def_cfa_register */
		set_cfa(run, ptl_dwarf_uleb(b), cfa->value);
		return true;
	case 0x0e: /* def_cfa_offset */
		set_cfa(run, run->row->cfa_reg, (int64_t)ptl_dwarf_uleb(b));
		return true;
	case 0x0f: /* def_cfa_expression */
		if (!take_block(run, b, &at))
			return false;
		*cfa = (struct ptl_cfi_rule){(int32_t)at, PTL_CFI_EXPRESSION};
		return true;
	case 0x12: /* def_cfa_sf */
		reg = ptl_dwarf_uleb(b);
		set_cfa(run, reg, factored(run, (uint64_t)ptl_dwarf_sleb(b)));
		return true;
	case 0x13: /* def_cfa_offset_sf */
		set_cfa(run, run->row->cfa_reg,
			factored(run, (uint64_t)ptl_dwarf_sleb(b)));
		return true;
	default:
		return false;
	}
}

/* The instructions that define the rule of a register. */
static bool execute_rule(struct ptl_cfi_run *run, unsigned int op,
			 struct ptl_dwarf *b)
{
	uint64_t reg = ptl_dwarf_uleb(b);
	int64_t at;

	switch (op) {
	case 0x05: /* offset_extended */
		set_rule(run, reg, PTL_CFI_OFFSET,
			 factored(run, ptl_dwarf_uleb(b)));
		return true;
	case 0x06: /* restore_extended */
		restore_rule(run, reg);
		return true;
	case 0x07:
		set_rule(run, reg, PTL_CFI_UNDEFINED, 0);
		return true;
	case 0x08:
		set_rule(run, reg, PTL_CFI_SAME, 0);
		return true;
	case 0x09:
		set_rule(run, reg, PTL_CFI_REGISTER,
			 (int64_t)ptl_dwarf_uleb(b));
		return true;
	case 0x10:
	case 0x16:
		if (!take_block(run, b, &at))
			return false;
		set_rule(run, reg,
			 op == 0x10 ? PTL_CFI_EXPRESSION :
				      PTL_CFI_VAL_EXPRESSION,
			 at);
		return true;
	case 0x11: /* offset_extended_sf */
		set_rule(run, reg, PTL_CFI_OFFSET,
			 factored(run, (uint64_t)ptl_dwarf_sleb(b)));
		return true;
	case 0x14: /* val_offset, val_offset_sf */
		set_rule(run, reg, PTL_CFI_VAL_OFFSET,
			 factored(run, ptl_dwarf_uleb(b)));
		return true;
	case 0x15:
		set_rule(run, reg, PTL_CFI_VAL_OFFSET,
			 factored(run, (uint64_t)ptl_dwarf_sleb(b)));
		return true;
	default:
		return false;
	}
}

static bool execute_extended(struct ptl_cfi_run *run, unsigned int op,
			     struct ptl_dwarf *b)
{
	switch (op) {
	case 0x00: /* nop */
		return true;
	case 0x01: /* set_loc */
		return take_pointer(b, run->cie.enc, &run->at);
	case 0x02: /* advance_loc1, 2, 4 */
	case 0x03:
		run->at += ptl_dwarf_take(b, op - 1) * run->cie.code_align;
		return true;
	case 0x04:
		run->at += ptl_dwarf_take(b, 4) * run->cie.code_align;
		return true;
	case 0x0a:
		return remember_state(run);
	case 0x0b:
		return restore_state(run);
	case 0x2e: /* GNU_args_size */
		ptl_dwarf_uleb(b);
		return true;
	case 0x0c ... 0x0f:
	case 0x12 ... 0x13:
		return execute_cfa(run, op, b);
	default:
		return execute_rule(run, op, b);
	}
}

/* Executes the program up to the row for run->pc. */
static __attribute__((noinline)) bool execute(struct ptl_cfi_run *run,
					      struct ptl_dwarf *b)
{
	while (!ptl_dwarf_done(b) && run->at <= run->pc) {
		unsigned int op = (unsigned int)ptl_dwarf_take(b, 1),
			     low = op & 0x3f;

		switch (op & 0xc0) {
		case 0x40: /* advance_loc */
			run->at += low * run->cie.code_align;
			break;
		case 0x80: /* offset */
			set_rule(run, low, PTL_CFI_OFFSET,
				 factored(run, ptl_dwarf_uleb(b)));
			break;
		case 0xc0:
			restore_rule(run, low);
			break;
		default:
			if (!execute_extended(run, low, b))
				return false;
		}
	}
	return true;
}

/* Finds the last entry of the table that begins at or before pc; 0: none. */
static uint64_t search(struct ptl_unwind_object *object, uint64_t table,
		       uint64_t pc)
{
	uint64_t low = 0, high;
	struct ptl_dwarf b;
	int32_t pair[2];

	if (!ptl_loaded_at(object, table, &b))
		return 0;
	/* The version; the encodings of the pointer, the count and the table.
	 */
	if (ptl_dwarf_take(&b, 4) != (ENC_HDR_TABLE << 24 | 0x031b01u))
		return 0;
	ptl_dwarf_take(&b, 4);
	high = ptl_dwarf_take(&b, 4);
	if (high > (size_t)(b.end - b.at) / sizeof(pair))
		return 0;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		memcpy(pair, b.at + sizeof(pair) * middle, sizeof(pair));
		if (pair[0] <= (int64_t)(pc - table))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	memcpy(pair, b.at + sizeof(pair) * (low - 1), sizeof(pair));
	return table + (uint64_t)(int64_t)pair[1];
}

/* Finds the entry for pc: run->insns is what is in it, and row->base where that
 * begins. */
static __attribute__((noinline)) bool
find_entry(struct ptl_unwind_object *object, uint64_t table, uint64_t pc,
	   struct ptl_cfi_row *row, struct ptl_cfi_run *run)
{
	uint64_t fde = search(object, table, pc);

	*row = (struct ptl_cfi_row){.base = NULL};
	if (!fde || !entry_at(object, fde, &run->insns))
		return false;
	row->base = run->insns.at;
	return true;
}

/* Steps over what is before the instructions; run->at is where the code begins.
 * False: pc is not in it. */
static __attribute__((noinline)) bool skip_head(struct ptl_cfi_run *run)
{
	struct ptl_dwarf *b = &run->insns;
	unsigned int enc = run->cie.enc;
	uint64_t range, size;

	if (enc & ENC_INDIRECT || !take_pointer(b, enc, &run->at) ||
	    !take_pointer(b, enc & ENC_FORMAT, &range) ||
	    run->pc - run->at >= range)
		return false;
	if (run->cie.has_augmentation) {
		size = ptl_dwarf_uleb(b);
		b->at += PTL_MIN(size, (uint64_t)(b->end - b->at));
	}
	return true;
}

/* In steps, each of which takes stack only while it runs. */
bool ptl_cfi_find(struct ptl_unwind_object *object, uint64_t table, uint64_t pc,
		  struct ptl_cfi_row *row, struct ptl_cfi_run *run)
{
	uint64_t begin;

	if (!find_entry(object, table, pc, row, run))
		return false;
	/* First comes the distance from there back to the CIE. */
	begin = (uintptr_t)row->base - ptl_dwarf_take(&run->insns, 4);
	run->row = row;
	run->pc = pc;
	run->nr_remembered = 0;
	if (!parse_cie(object, begin, &run->cie, &row->is_signal) ||
	    !skip_head(run))
		return false;
	begin = run->at;
	run->initial = *row;
	if (!execute(run, &run->cie.insns))
		return false;
	run->initial = *row;
	run->at = begin;
	return execute(run, &run->insns);
}

#endif
