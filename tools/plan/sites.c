/* SPDX-License-Identifier: MIT */
/*
 * System call instructions (places.h).  One takes two bytes, a jump five.  So
 * what is moved with it is the instruction before it, which mostly says which
 * call it is, or what comes behind it.  Any register but %rcx and %r11 is as it
 * was, on the way to the call and back: the kernel changes no other.
 */
#include <string.h>

#include "tools/plan/move.h"
#include "tools/plan/places.h"

#define CALL_SIZE 2

/* Instructions between a number and its call. */
#define BEFORE 12

/* Of x86-64, whatever this machine is. */
#define NR_OPEN 2
#define NR_MUNMAP 11
#define NR_SIGRETURN 15
#define NR_ACCESS 21
#define NR_EXIT 60
#define NR_READLINK 89
#define NR_OPENAT 257
#define NR_READLINKAT 267
#define NR_FACCESSAT 269

unsigned int ptl_site_number(const unsigned char *code, size_t size,
			     int32_t *number)
{
	unsigned int at = 0;

	if (size >= 2 && (code[0] == 0x31 || code[0] == 0x33) &&
	    code[1] == 0xc0) {
		*number = 0;
		return 2;
	}
	if (size >= 5 && code[0] == 0xb8)
		at = 1;
	else if (size >= 6 && code[0] == 0xc7 && code[1] == 0xc0)
		at = 2;
	else if (size >= 7 && code[0] == 0x48 && code[1] == 0xc7 &&
		 code[2] == 0xc0)
		at = 3;
	if (at == 0)
		return 0;
	memcpy(number, code + at, sizeof(*number));
	return at + 4;
}

/* The instruction that ends there, if the sweep came by it; false: none. */
static bool find_before(struct ptl_plan *plan, uint64_t end, uint64_t *at,
			struct ptl_x86 *insn)
{
	for (*at = end - 1; *at + PTL_X86_LONGEST >= end; --*at) {
		if (!(ptl_code_known(&plan->code, *at) & PTL_BYTE_INSN))
			continue;
		return ptl_place_decode(plan, *at, end, insn) &&
		       *at + insn->size == end;
	}
	return false;
}

static bool is_target(struct ptl_plan *plan, uint64_t at)
{
	return ptl_code_known(&plan->code, at) & PTL_BYTE_TARGET;
}

/* Of those that compilers put arguments into registers with: is it %eax? */
static bool keeps_number(const struct ptl_x86 *insn)
{
	unsigned int reg = (insn->modrm >> 3 & 7) | (insn->rex & 4) << 1;
	unsigned int rm = (insn->modrm & 7) | (insn->rex & 1) << 3;

	if (insn->map != PTL_X86_ONE_BYTE)
		return ptl_x86_is_nop(insn) || ptl_x86_is_endbr(insn);
	if (insn->opcode >= 0xb8 && insn->opcode <= 0xbf)
		return insn->opcode != 0xb8 || insn->rex & 1;
	switch (insn->opcode) {
	case 0x8b: /* mov, movslq, lea, xor from rm to reg */
	case 0x63:
	case 0x8d:
	case 0x33:
		return reg != 0;
	case 0x89: /* mov, xor from reg to rm */
	case 0x31:
	case 0xc7: /* mov of a constant */
		return insn->modrm < 0xc0 || rm != 0;
	case 0x90:
		return insn->rex == 0;
	default:
		return false;
	}
}

/* What %eax is at the call, if it is the same whichever way it is come to. */
static int32_t find_number(struct ptl_plan *plan, uint64_t end)
{
	for (unsigned int i = 0; i < BEFORE && !is_target(plan, end); i++) {
		struct ptl_x86 insn;
		const unsigned char *code;
		int32_t number;
		uint64_t at;
		size_t size;

		if (!find_before(plan, end, &at, &insn))
			break;
		code = ptl_code_bytes(&plan->code, at, end, &size);
		if (ptl_site_number(code, size, &number) == size)
			return number;
		if (!keeps_number(&insn))
			break;
		end = at;
	}
	return -1;
}

/* musl's, in a function whose caller may be cancelled: mov (%rdi),%eax; test;
 * jne ... before it.  The handler compares where it was interrupted with where
 * the call is. */
static bool is_watched(struct ptl_plan *plan, uint64_t at)
{
	static const unsigned char begin[] = {0x8b, 0x07, 0x85, 0xc0, 0x75};
	enum { BEFORE_CALL = 39 };
	size_t size;
	const unsigned char *code =
		ptl_code_bytes(&plan->code, at - BEFORE_CALL, at, &size);

	return code != NULL && size == BEFORE_CALL &&
	       memcmp(code, begin, sizeof(begin)) == 0;
}

/* A thread of musl's that is detached unmaps its own stack, and ends. */
static bool loses_stack(struct ptl_plan *plan, const struct ptl_plan_site *site)
{
	static const unsigned char exits[] = {
		0x48, 0x31,    0xff,	   /* xor %rdi,%rdi */
		0xb8, NR_EXIT, 0,    0, 0, /* mov $60,%eax */
		0x0f, 0x05,
	};
	uint64_t at = site->at + CALL_SIZE;
	size_t size;
	const unsigned char *code;

	if (site->number == NR_EXIT)
		at -= sizeof(exits);
	else if (site->number != NR_MUNMAP)
		return false;
	code = ptl_code_bytes(&plan->code, at, at + sizeof(exits), &size);
	return code != NULL && size == sizeof(exits) &&
	       memcmp(code, exits, size) == 0;
}

/* The error of a call is looked for: cmp $-4095,%rax. */
static bool is_compared(struct ptl_plan *plan, uint64_t at)
{
	static const unsigned char compare[] = {0x48, 0x3d, 0x01,
						0xf0, 0xff, 0xff};
	size_t size;
	const unsigned char *code =
		ptl_code_bytes(&plan->code, at, at + 16, &size);

	return code != NULL &&
	       memmem(code, size, compare, sizeof(compare)) != NULL;
}

/* mov to %rax: the number comes from elsewhere. */
static bool is_given(struct ptl_plan *plan, uint64_t at)
{
	struct ptl_x86 insn;
	uint64_t before;

	return find_before(plan, at, &before, &insn) &&
	       insn.map == PTL_X86_ONE_BYTE && insn.has_modrm &&
	       ((insn.opcode == 0x8b && (insn.modrm >> 3 & 7) == 0 &&
		 !(insn.rex & 4)) ||
		(insn.opcode == 0x89 && (insn.modrm & 0xc7) == 0xc0 &&
		 !(insn.rex & 1)));
}

/* Constants between functions may look like a call. */
static bool may_be_data(struct ptl_plan *plan, const struct ptl_plan_site *site)
{
	return ptl_plan_in(plan, site->at) == NULL && site->number < 0 &&
	       !is_given(plan, site->at) &&
	       !is_compared(plan, site->at + CALL_SIZE);
}

static bool can_move(const struct ptl_x86 *insn, const unsigned char *code)
{
	return insn->kind != PTL_X86_SYSTEM && !ptl_place_is_near(insn) &&
	       (!ptl_place_calls(insn) || ptl_move_can_call(insn, code));
}

/* With the instruction before it.  So long a one is mostly the number. */
static bool plan_before(struct ptl_plan *plan, struct ptl_plan_site *site,
			bool number_only)
{
	struct ptl_x86 insn;
	const unsigned char *code;
	int32_t number;
	uint64_t at;
	size_t size;

	if (is_target(plan, site->at) ||
	    !find_before(plan, site->at, &at, &insn) ||
	    insn.kind != PTL_X86_PLAIN || ptl_place_is_near(&insn) ||
	    insn.size + CALL_SIZE < PTL_JUMP_SIZE)
		return false;
	for (uint64_t i = at + 1; i < site->at; i++)
		if (is_target(plan, i))
			return false;
	code = ptl_code_bytes(&plan->code, at, site->at, &size);
	if (number_only && ptl_site_number(code, size, &number) != size)
		return false;
	site->place.at = at;
	site->place.size = (uint8_t)(insn.size + CALL_SIZE);
	site->place.how = PTL_PLAN_JUMP;
	return true;
}

/* With those behind it, up to where nothing goes on, and padding there. */
static enum ptl_plan_why plan_behind(struct ptl_plan *plan,
				     struct ptl_plan_site *site)
{
	uint64_t at = site->at + CALL_SIZE, end = site->at + PTL_JUMP_SIZE;

	while (at < end) {
		struct ptl_x86 insn;
		const unsigned char *code;
		size_t size;

		if (is_target(plan, at))
			return PTL_PLAN_CALL_TARGET;
		code = ptl_code_bytes(&plan->code, at, at + PTL_X86_LONGEST,
				      &size);
		if (code == NULL || !ptl_x86_decode(code, size, &insn) ||
		    !can_move(&insn, code))
			return PTL_PLAN_CALL_ROOM;
		for (unsigned int i = 1; i < insn.size; i++)
			if (is_target(plan, at + i))
				return PTL_PLAN_CALL_TARGET;
		at += insn.size;
		if (ptl_place_ends(&insn) || ptl_place_calls(&insn))
			break;
	}
	site->place.at = site->at;
	site->place.size = (uint8_t)(at - site->at);
	site->place.how = at < end ? PTL_PLAN_PADDING : PTL_PLAN_JUMP;
	if (at < end && !ptl_code_is_free(&plan->code, at, end))
		return PTL_PLAN_CALL_ROOM;
	return PTL_PLAN_WHY_NOT;
}

static bool has_labels(const struct ptl_plan *plan, uint64_t at)
{
	const struct ptl_plan_function *function = ptl_plan_in(plan, at);

	return function != NULL &&
	       (function->has_labels || function->has_unknown);
}

bool ptl_site_looks_at_files(int32_t number)
{
	static const int32_t numbers[] = {
		NR_OPEN,   NR_ACCESS,	  NR_READLINK,
		NR_OPENAT, NR_READLINKAT, NR_FACCESSAT,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (number == numbers[i])
			return true;
	return false;
}

static enum ptl_plan_why plan_site(struct ptl_plan *plan,
				   struct ptl_plan_site *site)
{
	enum ptl_plan_why why;

	site->number = find_number(plan, site->at);
	if (site->number == NR_SIGRETURN)
		return PTL_PLAN_SIGNAL;
	if (plan->is_loader && !ptl_site_looks_at_files(site->number))
		return PTL_PLAN_LOADER;
	if (is_watched(plan, site->at))
		return PTL_PLAN_CALL_WATCHED;
	if (loses_stack(plan, site))
		return PTL_PLAN_CALL_STACK;
	if (may_be_data(plan, site))
		return PTL_PLAN_CALL_DATA;
	if (plan_before(plan, site, true))
		return PTL_PLAN_WHY_NOT;
	if (has_labels(plan, site->at))
		return PTL_PLAN_LABELS;
	why = plan_behind(plan, site);
	if (why != PTL_PLAN_WHY_NOT && plan_before(plan, site, false))
		return PTL_PLAN_WHY_NOT;
	return why;
}

/* In the order of their addresses, one may be moved with the one before. */
void ptl_sites_plan(struct ptl_plan *plan)
{
	uint64_t end = 0;

	for (size_t i = 0; i < plan->nr_sites; i++) {
		struct ptl_plan_site *site = &plan->site[i];
		struct ptl_plan_place *place = &site->place;
		enum ptl_plan_why why;

		*place = (struct ptl_plan_place){.kind = PTL_PLAN_SITE};
		why = plan_site(plan, site);
		if (why == PTL_PLAN_WHY_NOT && place->at < end)
			why = PTL_PLAN_CALL_ROOM;
		place->why = (uint8_t)why;
		if (why != PTL_PLAN_WHY_NOT) {
			place->how = PTL_PLAN_NOT;
			continue;
		}
		end = place->at + PTL_MAX(place->size, PTL_JUMP_SIZE);
	}
}
