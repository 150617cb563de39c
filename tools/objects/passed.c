/* SPDX-License-Identifier: MIT */
/*
 * Parameters by their locations; see passed.h.  GCC has none of a structure in
 * registers of both kinds, and need not have one of what is not used.  In code
 * that is not optimised they are in memory from the beginning, as debug
 * information has it, and passed as they should be.
 */
#include "tools/objects/passed.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <string.h>

#include "tools/objects/structure.h"
#include "tools/objects/type_letter.h"

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

#define STACK (-1)
#define MAX_PLACES 2

static bool has_room(const struct ptl_passed *passed, unsigned int generals,
		     unsigned int vectors)
{
	return passed->general + generals <= GENERAL_REGISTERS &&
	       passed->vector + vectors <= VECTOR_REGISTERS;
}

static int next(struct ptl_passed *passed, bool is_vector)
{
	return is_vector ? (int)(FIRST_VECTOR + passed->vector++) :
			   (int)general[passed->general++];
}

/* Where a call has it: in how many registers, and which. */
static unsigned int expect(struct ptl_passed *passed, char letter,
			   int place[MAX_PLACES])
{
	unsigned int generals = ptl_structure_general(letter);
	unsigned int vectors = ptl_structure_vector(letter);

	if (generals + vectors == 0) {
		vectors = strchr("fdq", letter) != NULL;
		generals = 1 - vectors;
	}
	place[0] = STACK;
	if (letter == 'x' || letter == PTL_STRUCTURE_IN_MEMORY ||
	    letter == PTL_STRUCTURE_ON_STACK ||
	    !has_room(passed, generals, vectors))
		return 1;
	place[0] = next(passed, vectors > 0 && letter != 'm');
	if (generals + vectors == 2)
		place[1] = next(passed, letter == 'W' || letter == 'm');
	return generals + vectors;
}

/* Of two registers each has a piece, and there may be bytes between. */
static bool is_in(const Dwarf_Op *op, size_t nr_ops, const int *place,
		  unsigned int nr)
{
	const Dwarf_Op *end = op + nr_ops;

	for (unsigned int i = 0; i < nr; i++) {
		if (op == end || place[i] == STACK ||
		    register_of(op++) != place[i] ||
		    (nr > 1 && (op == end || op->atom != DW_OP_piece)))
			return false;
		while (nr > 1 && op < end && op->atom == DW_OP_piece)
			op++;
	}
	return op == end;
}

/* Of a structure its place is passed: in that register, or where that is stored
 * at once. */
static bool is_behind(const Dwarf_Op *op, size_t nr_ops, Dwarf_Die *parameter,
		      int place)
{
	bool is_const, is_stored = nr_ops == 2 && op->atom == DW_OP_fbreg &&
				   op[1].atom == DW_OP_deref;
	Dwarf_Die type;

	return (is_stored || (nr_ops == 1 && op->atom >= DW_OP_breg0 &&
			      op->atom <= DW_OP_breg31 && op->number == 0 &&
			      op->atom - DW_OP_breg0 == place)) &&
	       ptl_type_of(parameter, &type, &is_const) &&
	       ptl_structure_is(&type);
}

/* GCC may have members of what is on the stack elsewhere, too. */
static bool is_in_parts(const struct ptl_passed *passed, char letter)
{
	return passed->is_by_gcc && letter == PTL_STRUCTURE_ON_STACK;
}

bool ptl_passed_is_there(struct ptl_passed *passed, Dwarf_Die *parameter,
			 char letter)
{
	int place[MAX_PLACES];
	unsigned int nr = expect(passed, letter, place);
	/* How much a structure takes there is not said to who looks. */
	bool is_known = place[0] != STACK || !passed->is_stack_unknown;
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t nr_ops;

	passed->is_stack_unknown |= letter == PTL_STRUCTURE_IN_MEMORY;
	if (letter == PTL_STRUCTURE_ON_STACK && !passed->is_as_declared)
		return false;
	if (dwarf_attr(parameter, DW_AT_location, &attr) == NULL ||
	    dwarf_getlocation_addr(&attr, passed->entry, &op, &nr_ops, 1) !=
		    1 ||
	    nr_ops == 0)
		return is_known && passed->is_by_gcc;
	if (letter == 'p' && is_behind(op, nr_ops, parameter, place[0]))
		return is_known;
	if (op->atom == DW_OP_fbreg || op->atom == DW_OP_call_frame_cfa)
		return is_known && (nr_ops == 1 || is_in_parts(passed, letter));
	if (is_in_parts(passed, letter))
		return is_known;
	return is_in(op, nr_ops, place, nr);
}

static bool has(Dwarf_Die *function, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(function, name, &attr) != NULL;
}

/* What GCC has changed is left out by its name (tools/plan/typed.c). */
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

/* LLVM says where it has left out a parameter or the result. */
static bool is_changed(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Word convention;

	return dwarf_attr(function, DW_AT_calling_convention, &attr) != NULL &&
	       dwarf_formudata(&attr, &convention) == 0 &&
	       convention == DW_CC_nocall;
}

/* Does nobody but the compiler call it, which may leave out what it likes? */
static bool is_its_own(Dwarf_Die *function)
{
	/* LLVM has these in code that is optimised. */
	return (has(function, DW_AT_call_all_calls) ||
		has(function, DW_AT_GNU_all_call_sites)) &&
	       !has(function, DW_AT_external);
}

void ptl_passed_begin(struct ptl_passed *passed, Dwarf_Die *function,
		      Dwarf_Addr entry)
{
	*passed = (struct ptl_passed){
		.entry = entry,
		.is_by_gcc = is_by_gcc(function),
	};
	passed->is_as_declared = !is_changed(function) &&
				 (passed->is_by_gcc || !is_its_own(function));
}

#endif
