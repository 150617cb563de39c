/* SPDX-License-Identifier: MIT */
/*
 * Parameters by their locations; see passed.h.  In code that is not optimised
 * they are in memory from the beginning, as debug information has it, and
 * passed as they should be.
 */
#include "tools/objects/passed.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <string.h>

#define GENERAL_REGISTERS 6
#define VECTOR_REGISTERS 8

/* By DWARF's numbers, of x86-64: rdi, rsi, rdx, rcx, r8, r9; xmm0. */
static const unsigned int general[GENERAL_REGISTERS] = {5, 4, 1, 2, 8, 9};
#define FIRST_VECTOR 17

/* The register that the operation names; -1: none. */
static int register_of(const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return op->atom - DW_OP_reg0;
	return op->atom == DW_OP_regx ? (int)op->number : -1;
}

/* Where a call has it; -1: on the stack. */
static int expected(struct ptl_passed *passed, char letter)
{
	if (letter == 'x')
		return -1;
	if (strchr("fdq", letter) == NULL)
		return passed->general < GENERAL_REGISTERS ?
			       (int)general[passed->general++] :
			       -1;
	return passed->vector < VECTOR_REGISTERS ?
		       (int)(FIRST_VECTOR + passed->vector++) :
		       -1;
}

bool ptl_passed_is_there(struct ptl_passed *passed, Dwarf_Die *parameter,
			 char letter)
{
	int place = expected(passed, letter);
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t nr;

	if (dwarf_attr(parameter, DW_AT_location, &attr) == NULL ||
	    dwarf_getlocation_addr(&attr, passed->entry, &op, &nr, 1) != 1 ||
	    nr != 1)
		return false;
	return op->atom == DW_OP_fbreg || op->atom == DW_OP_call_frame_cfa ||
	       (place >= 0 && register_of(op) == place);
}

static bool has(Dwarf_Die *function, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(function, name, &attr) != NULL;
}

/* By GCC: what it has changed has another name (tools/plan/typed.c). */
static bool is_by_gcc(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	const char *producer = NULL;

	if (dwarf_diecu(function, &unit, NULL, NULL) != NULL &&
	    dwarf_attr(&unit, DW_AT_producer, &attr) != NULL)
		producer = dwarf_formstring(&attr);
	return producer != NULL && strncmp(producer, "GNU ", 4) == 0;
}

bool ptl_passed_returns(Dwarf_Die *function)
{
	/* LLVM has these in code that is optimised. */
	bool is_optimised = has(function, DW_AT_call_all_calls) ||
			    has(function, DW_AT_GNU_all_call_sites);

	return !is_optimised || has(function, DW_AT_external) ||
	       is_by_gcc(function);
}

#endif
