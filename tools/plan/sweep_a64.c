/* SPDX-License-Identifier: MIT */
/*
 * The sweep, of code for aarch64; see a64.h.  An address is mostly made by two
 * instructions: adrp has its page, and an add behind it the rest.
 */
#include "tools/plan/a64.h"

#include <string.h>

#define REGISTERS 31

/* Of what registers have of addresses: pages, as far as adrp has put them
 * there. What is put there otherwise is not noticed: more is marked then than
 * there is. */
struct pages {
	uint64_t page[REGISTERS];
	uint32_t known; /* a bit for each */
};

bool ptl_a64_read(struct ptl_code *code, uint64_t at, struct ptl_a64 *insn)
{
	size_t size;
	const unsigned char *bytes =
		ptl_code_bytes(code, at, at + PTL_A64_SIZE, &size);
	uint32_t word;

	if (bytes == NULL || size < PTL_A64_SIZE || at % PTL_A64_SIZE != 0)
		return false;
	memcpy(&word, bytes, sizeof(word));
	return ptl_a64_decode(word, insn);
}

/* The address of code may be called; inside of a function, a jump may lead to
 * it. */
static void note_address(struct ptl_sweep *sweep, uint64_t to)
{
	struct ptl_plan_function *function;

	if (to < sweep->low || to >= sweep->high ||
	    ptl_code_at(&sweep->plan->code, to) == NULL)
		return;
	ptl_code_mark(&sweep->plan->code, to, to + 1,
		      PTL_BYTE_TARGET | PTL_BYTE_CALLED);
	function = ptl_plan_in(sweep->plan, to);
	if (function != NULL && function->start != to)
		function->has_addresses = true;
}

/* Constants in code stay, whatever instruction they look like. */
static void note_literal(struct ptl_sweep *sweep, uint32_t word, uint64_t at)
{
	bool is_vector = word >> 26 & 1;
	unsigned int size = word >> 30; /* ldr, ldr, ldrsw, prfm; s, d, q */

	size = is_vector ? 4u << size : size == 1 ? 8 : size == 3 ? 0 : 4;
	ptl_code_mark(&sweep->plan->code, at, at + size, PTL_BYTE_TAKEN);
}

static void note_relative(struct ptl_sweep *sweep, struct pages *pages,
			  const struct ptl_a64 *insn, uint64_t at)
{
	uint64_t to = ptl_a64_target(insn, at);
	unsigned int reg = ptl_a64_rd(insn->word);

	switch (insn->relative) {
	case PTL_A64_ADR:
		note_address(sweep, to);
		break;
	case PTL_A64_ADRP:
		if (reg == REGISTERS)
			break;
		pages->page[reg] = to;
		pages->known |= 1u << reg;
		break;
	case PTL_A64_LITERAL:
		note_literal(sweep, insn->word, to);
		break;
	default:
		ptl_sweep_target(sweep, insn->kind == PTL_A64_CALL, at, to);
	}
}

static void note_add(struct ptl_sweep *sweep, const struct pages *pages,
		     uint32_t word)
{
	unsigned int reg = ptl_a64_rn(word);
	uint64_t rest;

	if (ptl_a64_is_add(word, &rest) && reg != REGISTERS &&
	    pages->known >> reg & 1)
		note_address(sweep, pages->page[reg] + rest);
}

/* A call at the end is of a function that does not return. */
static bool may_run_on(const struct ptl_a64 *insn)
{
	return insn->kind == PTL_A64_BRANCH || insn->kind == PTL_A64_SYSTEM ||
	       (insn->kind == PTL_A64_PLAIN && insn->word != PTL_A64_NOP);
}

static void note(struct ptl_sweep *sweep, struct pages *pages,
		 const struct ptl_a64 *insn, uint64_t at)
{
	if (insn->relative != PTL_A64_ABSOLUTE)
		note_relative(sweep, pages, insn, at);
	else if (insn->kind == PTL_A64_PLAIN)
		note_add(sweep, pages, insn->word);
	else if (insn->kind == PTL_A64_RETURN ||
		 insn->kind == PTL_A64_JUMP_INDIRECT)
		ptl_sweep_leap(sweep->plan, at);
}

void ptl_a64_sweep(struct ptl_sweep *sweep, uint64_t start, uint64_t end)
{
	const struct ptl_section *section = sweep->section;
	struct pages pages = {.known = 0};
	bool runs_on = true;

	start += -start % PTL_A64_SIZE;
	for (uint64_t at = start; at < end; at += PTL_A64_SIZE) {
		struct ptl_a64 insn;

		if (!ptl_a64_read(&sweep->plan->code, at, &insn)) {
			ptl_sweep_unknown(sweep);
			continue;
		}
		sweep->plan->nr_insns++;
		section->known[at - section->start] |= PTL_BYTE_INSN;
		note(sweep, &pages, &insn, at);
		if (insn.kind != PTL_A64_PLAIN || insn.word != PTL_A64_NOP)
			runs_on = may_run_on(&insn);
	}
	if (sweep->function != NULL)
		sweep->function->runs_on = runs_on;
}
