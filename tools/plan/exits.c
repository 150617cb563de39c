/* SPDX-License-Identifier: MIT */
/*
 * Where a function is left for good; see places.h.  A jump is an exit only if
 * the stack is as at the entry, and it leads to another function: one that is
 * wrongly taken for an exit would end a call that goes on.  If there is any
 * doubt about one, none is patched: only the function's entry is.
 */
#include "tools/plan/places.h"

#include "tools/lib/say.h"
#include "tools/plan/a64.h"

#define MAX_PARTS 16 /* of a function */
#define MAX_MOVED 64 /* bytes that an entry may grow to */
#define BEFORE 24    /* bytes of instructions that make an address for a jump */

struct scan {
	struct ptl_plan *plan;
	struct ptl_plan_function *function;
	uint32_t number;
	struct ptl_plan_function *body; /* the function, or a part of it */
	struct ptl_plan_function *part[MAX_PARTS];
	unsigned int nr_parts;
	struct ptl_cfa_run cfa;
};

/* The first reason stays. */
static void doubt(struct scan *scan, enum ptl_plan_why why)
{
	if (scan->function->exit_why == PTL_PLAN_WHY_NOT)
		scan->function->exit_why = (uint8_t)why;
}

static uint64_t entry_end(const struct scan *scan)
{
	const struct ptl_plan_place *entry = &scan->function->entry;

	return entry->how != PTL_PLAN_NOT ? entry->at + entry->size : 0;
}

/* Together with the entry, which ends where these instructions begin. */
static bool join_entry(struct scan *scan, uint64_t start, uint64_t end)
{
	struct ptl_plan_place *entry = &scan->function->entry;
	struct ptl_code *code = &scan->plan->code;

	if (entry->how != PTL_PLAN_JUMP || entry_end(scan) != start ||
	    end - entry->at > MAX_MOVED ||
	    !ptl_entry_goes_on(scan->plan, entry) ||
	    ptl_code_has(code, start, end, PTL_BYTE_TARGET | PTL_BYTE_CAUGHT))
		return false;
	entry->size = (uint8_t)(end - entry->at);
	return true;
}

/*
 * The instruction before the one at `at', to which nothing leads but that, from
 * `least' on; 0: there is none.  The sweep has marked where they begin.
 */
static uint64_t step_back(const struct scan *scan, uint64_t least, uint64_t at,
			  struct ptl_x86 *insn)
{
	struct ptl_code *code = &scan->plan->code;

	if (ptl_code_known(code, at) & PTL_BYTE_TARGET)
		return 0;
	for (uint64_t start = at - 1;
	     start >= least && start < at && at - start <= PTL_X86_LONGEST;
	     start--) {
		if (!(ptl_code_known(code, start) & PTL_BYTE_INSN))
			continue;
		if (!ptl_place_decode(scan->plan, start, at, insn) ||
		    start + insn->size != at)
			return 0;
		return start;
	}
	return 0;
}

/* The earliest of the instructions before the exit that has to be moved, too;
 * if there are too few, the earliest of all. */
static uint64_t begin_of(const struct scan *scan, uint64_t start, uint64_t end)
{
	uint64_t least = scan->body->start, before;
	struct ptl_x86 insn;

	if (entry_end(scan) > least && scan->body == scan->function)
		least = entry_end(scan);
	while (end - start < PTL_JUMP_SIZE) {
		before = step_back(scan, least, start, &insn);
		if (before == 0 || ptl_place_is_near(&insn) ||
		    (insn.kind != PTL_X86_PLAIN &&
		     insn.kind != PTL_X86_BRANCH) ||
		    ptl_code_has(&scan->plan->code, before, start,
				 PTL_BYTE_TAKEN | PTL_BYTE_CAUGHT))
			break;
		start = before;
	}
	return start;
}

/* How the exit is patched that ends there; its last instruction begins at
 * place->at. */
static void choose(struct scan *scan, struct ptl_plan_place *place,
		   uint64_t end)
{
	struct ptl_code *code = &scan->plan->code;
	uint64_t start = place->at;

	if (end - start < code->jump &&
	    !ptl_code_is_free(code, end, start + code->jump))
		start = begin_of(scan, start, end);
	place->at = start;
	place->size = (uint8_t)(end - start);
	if (place->size >= code->jump) {
		place->how = PTL_PLAN_JUMP;
	} else if (ptl_code_is_free(code, end, start + code->jump)) {
		place->how = PTL_PLAN_PADDING;
		end = start + code->jump;
	} else if (join_entry(scan, start, end)) {
		place->how = PTL_PLAN_INSIDE;
	} else {
		place->why = PTL_PLAN_EXIT_ROOM;
		return;
	}
	ptl_code_mark(code, start, end, PTL_BYTE_TAKEN);
}

static void add_exit(struct scan *scan, uint64_t at, unsigned int size,
		     enum ptl_plan_kind kind)
{
	struct ptl_plan *plan = scan->plan;
	struct ptl_plan_place place = {
		.at = at,
		.function = scan->number,
		.size = (uint8_t)size,
		.kind = (uint8_t)kind,
	};

	if (at >= scan->function->entry.at && at < entry_end(scan))
		place.how = PTL_PLAN_INSIDE;
	else if (ptl_code_has(&plan->code, at, at + size, PTL_BYTE_TAKEN))
		doubt(scan, PTL_PLAN_EXIT_SHARED);
	else
		choose(scan, &place, at + size);
	plan->exit = ptl_grow(plan->exit, plan->nr_exits, &plan->exits_room,
			      sizeof(place));
	plan->exit[plan->nr_exits++] = place;
	scan->function->nr_exits++;
}

/* Code of the function that is elsewhere belongs to one of them only. */
static void add_part(struct scan *scan, struct ptl_plan_function *part)
{
	for (unsigned int i = 0; i < scan->nr_parts; i++)
		if (scan->part[i] == part)
			return;
	if (part->nr_exits != 0 || scan->nr_parts == MAX_PARTS) {
		doubt(scan, PTL_PLAN_EXIT_SHARED);
		return;
	}
	part->nr_exits = 1; /* it has its function */
	scan->part[scan->nr_parts++] = part;
}

static bool is_within(const struct ptl_plan_function *function, uint64_t at)
{
	return at >= function->start && at < function->end;
}

/* A jump to another function, with the stack as at the entry or not. */
static void add_tail(struct scan *scan, uint64_t at, unsigned int size)
{
	if (ptl_cfa_is_at_entry(&scan->cfa, at))
		add_exit(scan, at, size, PTL_PLAN_TAIL);
	else
		doubt(scan, PTL_PLAN_EXIT_STACK);
}

static void look_at_jump(struct scan *scan, uint64_t at, unsigned int size,
			 uint64_t to)
{
	struct ptl_section *section = ptl_code_at(&scan->plan->code, to);
	struct ptl_plan_function *other;

	if (is_within(scan->body, to) || is_within(scan->function, to))
		return;
	if (section != NULL && section->is_plt) {
		add_tail(scan, at, size);
		return;
	}
	other = ptl_plan_in(scan->plan, to);
	if (other != NULL && other->is_part)
		add_part(scan, other);
	else if (other != NULL && other->start == to)
		add_tail(scan, at, size);
	else
		doubt(scan, PTL_PLAN_EXIT_INTO);
}

static bool has_index(const struct ptl_x86 *insn, const unsigned char *code)
{
	unsigned int place = insn->displacement_size > 0 ?
				     insn->displacement - 1u :
				     insn->size - 1u;

	return insn->modrm < 0xc0 && (insn->modrm & 7) == 4 &&
	       (code[place] >> 3 & 7) != 4;
}

/* movslq of a word in memory */
static bool is_movslq(const struct ptl_x86 *insn)
{
	return insn->map == PTL_X86_ONE_BYTE && insn->opcode == 0x63 &&
	       insn->modrm < 0xc0;
}

/* add, between registers */
static bool is_add(const struct ptl_x86 *insn)
{
	return insn->map == PTL_X86_ONE_BYTE &&
	       (insn->opcode == 0x01 || insn->opcode == 0x03) &&
	       insn->modrm >= 0xc0;
}

/* As a switch does it: by an index; or to what was added to the table's address
 * just before. */
static bool is_table(const struct scan *scan, uint64_t at,
		     const struct ptl_x86 *insn, const unsigned char *code)
{
	struct ptl_x86 before;
	uint64_t end = at;

	if (insn->prefixes & PTL_X86_NOTRACK || has_index(insn, code))
		return true;
	while (end - at < BEFORE) {
		at = step_back(scan, scan->body->start, at, &before);
		if (at == 0 || before.kind != PTL_X86_PLAIN)
			return false;
		if (is_movslq(&before) ||
		    (is_add(&before) && at + before.size == end))
			return true;
	}
	return false;
}

static bool has_addresses(const struct scan *scan)
{
	return scan->function->has_addresses || scan->body->has_addresses;
}

/* If the function has tables, it may be a jump by one of them. */
static void add_indirect(struct scan *scan, uint64_t at, unsigned int size)
{
	if (has_addresses(scan))
		doubt(scan, PTL_PLAN_EXIT_SWITCH);
	else
		add_exit(scan, at, size, PTL_PLAN_TAIL);
}

static void look_at_indirect(struct scan *scan, uint64_t at,
			     const struct ptl_x86 *insn,
			     const unsigned char *code)
{
	if (insn->is_rip)
		add_tail(scan, at, insn->size);
	else if (!is_table(scan, at, insn, code) &&
		 ptl_cfa_is_at_entry(&scan->cfa, at))
		add_indirect(scan, at, insn->size);
}

static void look_at_x86(struct scan *scan, uint64_t at)
{
	size_t size;
	const unsigned char *code =
		ptl_code_bytes(&scan->plan->code, at, scan->body->end, &size);
	struct ptl_x86 insn;

	if (code == NULL || !ptl_x86_decode(code, size, &insn))
		return;
	switch (insn.kind) {
	case PTL_X86_RETURN:
		add_exit(scan, at, insn.size, PTL_PLAN_RETURN);
		break;
	case PTL_X86_JUMP:
	case PTL_X86_BRANCH:
		look_at_jump(scan, at, insn.size,
			     ptl_x86_target(&insn, code, at));
		break;
	case PTL_X86_JUMP_INDIRECT:
		look_at_indirect(scan, at, &insn, code);
		break;
	default:
		break;
	}
}

static void look_at_a64(struct scan *scan, uint64_t at)
{
	struct ptl_a64 insn;

	if (!ptl_a64_read(&scan->plan->code, at, &insn))
		return;
	switch (insn.kind) {
	case PTL_A64_RETURN:
		add_exit(scan, at, PTL_A64_SIZE, PTL_PLAN_RETURN);
		break;
	case PTL_A64_JUMP:
	case PTL_A64_BRANCH:
		look_at_jump(scan, at, PTL_A64_SIZE, ptl_a64_target(&insn, at));
		break;
	case PTL_A64_JUMP_INDIRECT:
		/* Each switch needs an address of its own code. */
		if (!(has_addresses(scan) &&
		      ptl_a64_is_switch(scan->plan, scan->body, at)) &&
		    ptl_cfa_is_at_entry(&scan->cfa, at))
			add_indirect(scan, at, PTL_A64_SIZE);
		break;
	default:
		break;
	}
}

static void look_at(struct scan *scan, uint64_t at)
{
	if (scan->plan->code.is_a64)
		look_at_a64(scan, at);
	else
		look_at_x86(scan, at);
}

/* The number of the first one from there on. */
static size_t first_leap(const struct ptl_plan *plan, uint64_t address)
{
	size_t low = 0, high = plan->nr_leaps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plan->leap[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Another function begins inside of it, as in assembly. */
static bool is_overlapped(const struct ptl_plan *plan,
			  const struct ptl_plan_function *body)
{
	size_t next = (size_t)(body - plan->function) + 1;

	return next < plan->nr && plan->function[next].start < body->end;
}

static void scan_body(struct scan *scan, struct ptl_plan_function *body)
{
	struct ptl_plan *plan = scan->plan;
	const struct ptl_unwind_frame *frame = NULL;

	scan->body = body;
	if (body->has_labels)
		doubt(scan, PTL_PLAN_EXIT_LABELS);
	if (body->has_unknown)
		doubt(scan, PTL_PLAN_EXIT_UNKNOWN);
	if (is_overlapped(plan, body))
		doubt(scan, PTL_PLAN_EXIT_SHARED);
	if (body->runs_on)
		doubt(scan, PTL_PLAN_EXIT_RUNS_ON);
	for (size_t i = first_leap(plan, body->start);
	     i < plan->nr_leaps && plan->leap[i] < body->end; i++) {
		uint64_t at = plan->leap[i];

		if (frame == NULL || at >= frame->end) {
			frame = ptl_frames_find(&plan->frames, at);
			ptl_cfa_begin(&scan->cfa, &plan->frames, frame);
		}
		look_at(scan, at);
	}
}

static void plan_exits(struct ptl_plan *plan,
		       struct ptl_plan_function *function)
{
	struct scan scan = {
		.plan = plan,
		.function = function,
		.number = (uint32_t)(function - plan->function),
	};

	function->first_exit = plan->nr_exits;
	scan_body(&scan, function);
	for (unsigned int i = 0; i < scan.nr_parts; i++)
		scan_body(&scan, scan.part[i]);
}

/* Where a direct jump leads; false: it is none. */
static bool find_target(struct ptl_plan *plan, uint64_t at, uint64_t end,
			uint64_t *to)
{
	struct ptl_x86 insn;
	struct ptl_a64 word;
	size_t size;

	if (plan->code.is_a64) {
		if (!ptl_a64_read(&plan->code, at, &word))
			return false;
		*to = ptl_a64_target(&word, at);
		return word.relative != PTL_A64_ABSOLUTE;
	}
	if (!ptl_place_decode(plan, at, end, &insn) ||
	    insn.relative_size == 0 || insn.is_rip)
		return false;
	*to = ptl_x86_target(&insn, ptl_code_bytes(&plan->code, at, end, &size),
			     at);
	return true;
}

/* A part that nobody jumps to, but by a table, perhaps: of those that it goes
 * back to not all exits are known. */
static void doubt_part(struct ptl_plan *plan,
		       const struct ptl_plan_function *part)
{
	for (size_t i = first_leap(plan, part->start);
	     i < plan->nr_leaps && plan->leap[i] < part->end; i++) {
		uint64_t at = plan->leap[i], to;
		struct ptl_plan_function *function;

		if (!find_target(plan, at, part->end, &to))
			continue;
		function = ptl_plan_in(plan, to);
		if (function != NULL && function->start != to)
			function->exit_why = PTL_PLAN_EXIT_SHARED;
	}
}

void ptl_exits_plan(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++)
		if (plan->function[i].is_part && plan->function[i].jumper == 0)
			doubt_part(plan, &plan->function[i]);
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (!function->is_part && function->why == PTL_PLAN_WHY_NOT)
			plan_exits(plan, function);
	}
}
