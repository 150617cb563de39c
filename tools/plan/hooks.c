/* SPDX-License-Identifier: MIT */
/* Calls of hooks; see hooks.h. */
#include "tools/plan/hooks.h"

#include <string.h>

#include "tools/lib/say.h"
#include "tools/plan/places.h"

/* Of one hook a file has one or two words, and as many stubs.  More are left
 * alone. */
#define WORDS 32

/* Code that jumps to where a word of the file says, for calls of functions in
 * other objects. */
struct stubs {
	struct ptl_plan_hook stub[WORDS];
	size_t nr;
};

static enum ptl_patch_slot slot_of(const char *name)
{
	static const struct {
		const char *name;
		enum ptl_patch_slot slot;
	} hooks[] = {
		{"mcount", PTL_PATCH_MCOUNT},
		{"_mcount", PTL_PATCH_MCOUNT},
		{"__fentry__", PTL_PATCH_FENTRY},
		{"__cyg_profile_func_enter", PTL_PATCH_CYG_ENTER},
		{"__cyg_profile_func_exit", PTL_PATCH_CYG_EXIT},
	};

	for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		if (strcmp(name, hooks[i].name) == 0)
			return hooks[i].slot;
	return PTL_PATCH_SLOTS;
}

void ptl_hooks_word(struct ptl_plan *plan, uint64_t address, const char *name)
{
	enum ptl_patch_slot slot = slot_of(name != NULL ? name : "");

	if (slot == PTL_PATCH_SLOTS || plan->nr_hook_words == WORDS)
		return;
	plan->hook_word =
		ptl_grow(plan->hook_word, plan->nr_hook_words,
			 &plan->hook_words_room, sizeof(*plan->hook_word));
	plan->hook_word[plan->nr_hook_words++] = (struct ptl_plan_hook){
		.at = address,
		.slot = (uint8_t)slot,
	};
}

static enum ptl_patch_slot find(const struct ptl_plan_hook *hook, size_t nr,
				uint64_t address)
{
	for (size_t i = 0; i < nr; i++)
		if (hook[i].at == address)
			return hook[i].slot;
	return PTL_PATCH_SLOTS;
}

static bool is_jump(const struct ptl_x86 *insn)
{
	return insn->kind == PTL_X86_JUMP ||
	       insn->kind == PTL_X86_JUMP_INDIRECT;
}

/* Behind which hook the instruction leads, directly or by a word. */
static enum ptl_patch_slot leads_to(const struct ptl_plan *plan,
				    const struct stubs *stubs,
				    const struct ptl_x86 *insn,
				    const unsigned char *code, uint64_t at)
{
	if (insn->relative_size != 4 ||
	    !(is_jump(insn) || ptl_place_calls(insn)))
		return PTL_PATCH_SLOTS;
	at = ptl_x86_target(insn, code, at);
	return insn->is_rip ? find(plan->hook_word, plan->nr_hook_words, at) :
			      find(stubs->stub, stubs->nr, at);
}

static void find_stubs(struct ptl_plan *plan, struct stubs *stubs,
		       const struct ptl_section *section)
{
	struct ptl_x86 insn = {.size = 1};
	uint64_t begin = 0; /* of an endbr64 before the jump */
	const unsigned char *code;

	for (uint64_t at = section->start; at < section->end; at += insn.size) {
		enum ptl_patch_slot slot;

		code = section->bytes + (at - section->start);
		if (!ptl_x86_decode(code, section->end - at, &insn)) {
			insn.size = 1;
			continue;
		}
		slot = leads_to(plan, stubs, &insn, code, at);
		if (slot != PTL_PATCH_SLOTS && stubs->nr < WORDS)
			stubs->stub[stubs->nr++] = (struct ptl_plan_hook){
				.at = begin != 0 ? begin : at,
				.slot = (uint8_t)slot,
			};
		begin = ptl_x86_is_endbr(&insn) ? at : 0;
	}
}

static void add(struct ptl_plan *plan, const struct ptl_plan_hook *hook)
{
	if (ptl_code_has(&plan->code, hook->at + 1, hook->at + PTL_JUMP_SIZE,
			 PTL_BYTE_TARGET))
		return;
	plan->hook = ptl_grow(plan->hook, plan->nr_hooks, &plan->hooks_room,
			      sizeof(*plan->hook));
	plan->hook[plan->nr_hooks++] = *hook;
}

static void find_calls(struct ptl_plan *plan, const struct stubs *stubs,
		       size_t number)
{
	const struct ptl_plan_function *function = &plan->function[number];
	uint64_t end = function->end;
	struct ptl_x86 insn = {.size = 1};

	/* As the sweep has it. */
	if (number + 1 < plan->nr && function[1].start < end)
		end = function[1].start;
	for (uint64_t at = function->start; at < end; at += insn.size) {
		enum ptl_patch_slot slot;
		const unsigned char *code;
		size_t size;

		if (!ptl_place_decode(plan, at, end, &insn)) {
			insn.size = 1;
			continue;
		}
		code = ptl_code_bytes(&plan->code, at, end, &size);
		slot = leads_to(plan, stubs, &insn, code, at);
		if (slot != PTL_PATCH_SLOTS)
			add(plan, &(struct ptl_plan_hook){
					  .at = at,
					  .function = (uint32_t)number,
					  .size = insn.size,
					  .slot = (uint8_t)slot,
				  });
	}
}

void ptl_hooks_plan(struct ptl_plan *plan)
{
	struct stubs stubs = {.nr = 0};

	if (plan->nr_hook_words == 0)
		return;
	for (size_t i = 0; i < plan->code.nr; i++)
		if (plan->code.section[i].is_plt &&
		    plan->code.section[i].known != NULL)
			find_stubs(plan, &stubs, &plan->code.section[i]);
	for (size_t i = 0; i < plan->nr; i++)
		if (!plan->function[i].is_part &&
		    plan->function[i].why == PTL_PLAN_WHY_NOT)
			find_calls(plan, &stubs, i);
}

const struct ptl_plan_hook *ptl_hooks_from(const struct ptl_plan *plan,
					   uint64_t address)
{
	size_t low = 0, high = plan->nr_hooks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plan->hook[middle].at < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < plan->nr_hooks ? &plan->hook[low] : NULL;
}
