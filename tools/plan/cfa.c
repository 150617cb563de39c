/* SPDX-License-Identifier: MIT */
/* The stack pointer along a function, by the rules of its frame; see frames.h.
 * Only what defines the CFA is followed; the rest is stepped over. */
#include "tools/plan/frames.h"

void ptl_cfa_begin(struct ptl_cfa_run *run, const struct ptl_frames *frames,
		   const struct ptl_unwind_frame *frame)
{
	run->frames = frames;
	run->frame = frame;
	if (frame == NULL)
		return;
	run->kind = &frames->kind[frame->kind];
	run->insns = frame->insns;
	run->at = frame->start;
	run->cfa = run->kind->cfa;
	run->nr_remembered = 0;
	run->is_lost = run->kind->is_lost;
}

void ptl_cfa_begin_kind(struct ptl_frame_kind *kind)
{
	struct ptl_cfa_run run = {.kind = kind, .insns = kind->insns};
	struct ptl_dwarf rule;

	while (ptl_cfa_step(&run, UINT64_MAX, &rule))
		;
	kind->cfa = run.cfa;
	kind->is_lost = run.is_lost;
}

static void set(struct ptl_cfa *cfa, uint64_t reg, int64_t offset)
{
	*cfa = (struct ptl_cfa){reg, offset, true};
}

static void remember(struct ptl_cfa_run *run)
{
	if (run->nr_remembered < PTL_CFA_REMEMBERED)
		run->remembered[run->nr_remembered] = run->cfa;
	run->nr_remembered++;
}

static void restore(struct ptl_cfa_run *run)
{
	run->cfa.is_known = false;
	if (run->nr_remembered == 0)
		return;
	run->nr_remembered--;
	if (run->nr_remembered < PTL_CFA_REMEMBERED)
		run->cfa = run->remembered[run->nr_remembered];
}

static void skip_block(struct ptl_dwarf *b)
{
	uint64_t size = ptl_dwarf_uleb(b);

	b->at = size > (size_t)(b->end - b->at) ? b->end : b->at + size;
}

/* What defines the CFA; false: it is another one. */
static bool step_cfa(struct ptl_cfa_run *run, unsigned int op)
{
	struct ptl_dwarf *b = &run->insns;
	int64_t align = run->kind->data_align;
	uint64_t reg;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = ptl_dwarf_uleb(b);
		set(&run->cfa, reg, (int64_t)ptl_dwarf_uleb(b));
		return true;
	case 0x0d: /* def_cfa_register */
		run->cfa.reg = ptl_dwarf_uleb(b);
		return true;
	case 0x0e: /* def_cfa_offset */
		run->cfa.offset = (int64_t)ptl_dwarf_uleb(b);
		return true;
	case 0x0f: /* def_cfa_expression */
		skip_block(b);
		run->cfa.is_known = false;
		return true;
	case 0x12: /* def_cfa_sf */
		reg = ptl_dwarf_uleb(b);
		set(&run->cfa, reg,
		    (int64_t)((uint64_t)ptl_dwarf_sleb(b) * (uint64_t)align));
		return true;
	case 0x13: /* def_cfa_offset_sf */
		run->cfa.offset = (int64_t)((uint64_t)ptl_dwarf_sleb(b) *
					    (uint64_t)align);
		return true;
	default:
		return false;
	}
}

static void step_extended(struct ptl_cfa_run *run, unsigned int op)
{
	struct ptl_dwarf *b = &run->insns;

	if (step_cfa(run, op))
		return;
	switch (op) {
	case 0x00: /* nop */
	case 0x2d: /* of aarch64: the return address is signed, or not */
		break;
	case 0x02: /* advance_loc1, 2, 4 */
	case 0x03:
		run->at += ptl_dwarf_take(b, op - 1) * run->kind->code_align;
		break;
	case 0x04:
		run->at += ptl_dwarf_take(b, 4) * run->kind->code_align;
		break;
	case 0x05: /* with two numbers: offset_extended, register ... */
	case 0x09:
	case 0x11:
	case 0x14:
	case 0x15:
		ptl_dwarf_uleb(b);
		ptl_dwarf_uleb(b);
		break;
	case 0x06: /* with one */
	case 0x07:
	case 0x08:
	case 0x2e:
		ptl_dwarf_uleb(b);
		break;
	case 0x0a:
		remember(run);
		break;
	case 0x0b:
		restore(run);
		break;
	case 0x10: /* expressions of registers */
	case 0x16:
		ptl_dwarf_uleb(b);
		skip_block(b);
		break;
	default: /* unknown, as is what would follow */
		run->cfa.is_known = false;
		run->is_lost = true;
		b->at = b->end;
	}
}

bool ptl_cfa_step(struct ptl_cfa_run *run, uint64_t address,
		  struct ptl_dwarf *rule)
{
	struct ptl_dwarf *b = &run->insns;
	uint64_t before = run->at;
	unsigned int op;

	if (ptl_dwarf_done(b) || run->at > address)
		return false;
	rule->at = b->at;
	op = (unsigned int)ptl_dwarf_take(b, 1);
	switch (op & 0xc0) {
	case 0x40: /* advance_loc */
		run->at += (op & 0x3f) * run->kind->code_align;
		break;
	case 0x80: /* offset */
		ptl_dwarf_uleb(b);
		break;
	case 0xc0: /* restore */
		break;
	default:
		step_extended(run, op);
	}
	rule->end = run->at == before ? b->at : rule->at;
	return true;
}

bool ptl_cfa_is_at_entry(struct ptl_cfa_run *run, uint64_t address)
{
	struct ptl_dwarf rule;

	if (run->frame == NULL)
		return false;
	while (ptl_cfa_step(run, address, &rule))
		;
	return run->cfa.is_known && run->cfa.reg == run->frames->sp &&
	       run->cfa.offset == run->frames->at_entry;
}
