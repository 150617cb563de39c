/* SPDX-License-Identifier: MIT */
/*
 * The sweep; see sweep.h.  All code is decoded, function by function, and what
 * is between them.  Constants between code are taken for instructions: they
 * lead to places at random, which are targets then, and are left alone.
 */
#include "tools/plan/sweep.h"

#include <stdlib.h>

#include "core/code/x86.h"
#include "tools/lib/say.h"
#include "tools/lib/sort.h"
#include "tools/plan/a64.h"
#include "tools/plan/pointers.h"
#include "tools/plan/sweeping.h"

/* Tables of switches are of that many words in all, or the file is no honest
 * one. */
#define TABLE_WORDS (64u << 20)

/* The address of code inside of a function: others may be computed from it, by
 * differences that are anywhere, so where jumps lead is not known. */
static void note_label(struct ptl_sweep *sweep, uint64_t to)
{
	struct ptl_plan_function *function = ptl_plan_in(sweep->plan, to);

	if (function != NULL && to != function->start)
		function->has_labels = true;
}

/* An operand by rip.  Code that is read has to stay as it is, too. */
static void note_rip(struct ptl_sweep *sweep, const struct ptl_x86 *insn,
		     uint64_t to)
{
	bool is_lea = insn->map == PTL_X86_ONE_BYTE && insn->opcode == 0x8d;

	if (to >= sweep->low && to < sweep->high &&
	    ptl_code_at(&sweep->plan->code, to) != NULL) {
		ptl_sweep_mark(sweep, to,
			       is_lea ? PTL_BYTE_TARGET | PTL_BYTE_CALLED :
					PTL_BYTE_TARGET);
		if (is_lea)
			note_label(sweep, to);
	}
	if (is_lea) {
		sweep->table =
			ptl_grow(sweep->table, sweep->nr_tables,
				 &sweep->tables_room, sizeof(*sweep->table));
		sweep->table[sweep->nr_tables++] = to;
	}
}

/* A program that is not relocated has addresses as constants. */
static void note_constant(struct ptl_sweep *sweep, const unsigned char *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	if ((uint64_t)value < sweep->low || (uint64_t)value >= sweep->high)
		return;
	ptl_sweep_mark(sweep, (uint64_t)value,
		       PTL_BYTE_TARGET | PTL_BYTE_CALLED);
	if (ptl_code_at(&sweep->plan->code, (uint64_t)value) != NULL)
		note_label(sweep, (uint64_t)value);
}

static void note_relative(struct ptl_sweep *sweep, const struct ptl_x86 *insn,
			  const unsigned char *code, uint64_t address)
{
	uint64_t to = ptl_x86_target(insn, code, address);

	if (insn->is_rip)
		note_rip(sweep, insn, to);
	else
		ptl_sweep_target(sweep, insn->kind == PTL_X86_CALL, address,
				 to);
}

static void note_constants(struct ptl_sweep *sweep, const struct ptl_x86 *insn,
			   const unsigned char *code)
{
	if (insn->constant_size == 4)
		note_constant(sweep, code + insn->constant);
	if (insn->displacement_size == 4)
		note_constant(sweep, code + insn->displacement);
}

/* Whoever looks for them decides how (sites.c). */
static void note_call(struct ptl_plan *plan, const struct ptl_x86 *insn,
		      uint64_t address)
{
	if (insn->map != PTL_X86_0F || insn->opcode != 0x05 || insn->size != 2)
		return;
	plan->site = ptl_grow(plan->site, plan->nr_sites, &plan->sites_room,
			      sizeof(*plan->site));
	plan->site[plan->nr_sites++] = (struct ptl_plan_site){.at = address};
}

/* wrgsbase */
static bool sets_gs(const struct ptl_x86 *insn)
{
	return insn->map == PTL_X86_0F && insn->opcode == 0xae &&
	       (insn->modrm & 0xf8) == 0xd8 && insn->prefixes & PTL_X86_REP;
}

/* What does not just go on; false: nor does the function behind it.  A call at
 * the end is of a function that does not return. */
static bool note_kind(struct ptl_sweep *sweep, const struct ptl_x86 *insn,
		      uint64_t address)
{
	if (insn->kind == PTL_X86_RETURN || insn->kind == PTL_X86_JUMP_INDIRECT)
		ptl_sweep_leap(sweep->plan, address);
	else if (insn->kind == PTL_X86_SYSTEM)
		note_call(sweep->plan, insn, address);
	return insn->kind == PTL_X86_BRANCH || insn->kind == PTL_X86_SYSTEM;
}

static void sweep_x86(struct ptl_sweep *sweep, uint64_t start, uint64_t end)
{
	const struct ptl_section *section = sweep->section;
	const unsigned char *code = section->bytes + (start - section->start);
	unsigned char *known = section->known + (start - section->start);
	bool is_fixed = sweep->plan->code.is_fixed, runs_on = true;
	size_t size = end - start, at = 0;
	struct ptl_x86 insn;

	while (at < size) {
		if (!ptl_x86_decode(code + at, size - at, &insn)) {
			ptl_sweep_unknown(sweep);
			at++;
			continue;
		}
		sweep->plan->nr_insns++;
		known[at] |= PTL_BYTE_INSN;
		if (sets_gs(&insn))
			sweep->plan->uses_gs = true;
		if (insn.relative_size > 0)
			note_relative(sweep, &insn, code + at, start + at);
		if (is_fixed)
			note_constants(sweep, &insn, code + at);
		if (insn.kind != PTL_X86_PLAIN)
			runs_on = note_kind(sweep, &insn, start + at);
		else if (!runs_on)
			runs_on = !ptl_x86_is_nop(&insn);
		at += insn.size;
	}
	if (sweep->function != NULL)
		sweep->function->runs_on = runs_on;
}

static void sweep_code(struct ptl_sweep *sweep, uint64_t start, uint64_t end)
{
	if (sweep->plan->code.is_a64)
		ptl_a64_sweep(sweep, start, end);
	else
		sweep_x86(sweep, start, end);
}

/* What is between functions: padding, and then perhaps code that has no name.
 */
static void sweep_gap(struct ptl_sweep *sweep, uint64_t start, uint64_t end)
{
	const struct ptl_section *section = sweep->section;
	uint64_t begin = start;
	struct ptl_x86 insn;

	while (start < end && !section->is_plt && !sweep->plan->code.is_a64) {
		const unsigned char *code =
			section->bytes + (start - section->start);

		/* Zeros may be data. */
		if (*code == 0xcc || *code == 0x90)
			start++;
		else if (ptl_x86_decode(code, end - start, &insn) &&
			 ptl_x86_is_nop(&insn))
			start += insn.size;
		else
			break;
	}
	ptl_code_mark(&sweep->plan->code, begin, start, PTL_BYTE_PADDING);
	sweep->function = NULL;
	if (start < end)
		sweep_code(sweep, start, end);
}

static void sweep_section(struct ptl_sweep *sweep)
{
	struct ptl_plan *plan = sweep->plan;
	uint64_t at = sweep->section->start, last = sweep->section->end;
	size_t low = 0, high = plan->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plan->function[middle].start < at)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i < plan->nr && plan->function[i].start < last;
	     i++) {
		struct ptl_plan_function *function = &plan->function[i];
		uint64_t end = function->end;

		if (i + 1 < plan->nr && plan->function[i + 1].start < end)
			end = plan->function[i + 1].start;
		sweep_gap(sweep, at, function->start);
		sweep->function = function;
		sweep_code(sweep, function->start, end);
		at = end;
	}
	sweep_gap(sweep, at, last);
}

/* Where exceptions lead.  Of a function whose table is not known nothing can be
 * said. */
static void sweep_frames(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->frames.nr; i++) {
		const struct ptl_unwind_frame *frame = &plan->frames.frame[i];
		struct ptl_plan_function *function;

		if (frame->lsda == 0 || ptl_frame_pads(frame, &plan->code))
			continue;
		function = ptl_plan_in(plan, frame->start);
		if (function != NULL)
			function->exit_why = PTL_PLAN_PADS;
	}
}

static bool sweep_tables(struct ptl_sweep *sweep)
{
	uint64_t budget = TABLE_WORDS;

	ptl_sort_by_number(sweep->table, sweep->nr_tables,
			   sizeof(*sweep->table));
	for (size_t i = 0; i < sweep->nr_tables; i++) {
		bool is_last = i + 1 == sweep->nr_tables;
		uint64_t next = is_last ? UINT64_MAX : sweep->table[i + 1];

		if (sweep->table[i] != next)
			ptl_pointers_table(sweep->plan, sweep->table[i], next,
					   &budget);
	}
	return budget > 0;
}

bool ptl_sweep(struct ptl_plan *plan)
{
	struct ptl_sweep sweep = {
		.plan = plan,
		.low = plan->code.low,
		.high = plan->code.high,
	};
	bool is_done;

	for (size_t i = 0; i < plan->code.nr; i++) {
		sweep.section = &plan->code.section[i];
		if (sweep.section->known != NULL)
			sweep_section(&sweep);
	}
	sweep_frames(plan);
	ptl_pointers_read(plan);
	is_done = sweep_tables(&sweep);
	free(sweep.table);
	return is_done;
}
