/* SPDX-License-Identifier: MIT */
/* The end of a stack; see room.h. */
#include "preload/patch/room.h"

#include "core/format/patches.h"

#include "preload/hook/handlers.h"
#include "preload/patch/arena.h"
#include "preload/patch/entry.h"
#include "preload/patch/patch.h"
#include "preload/patch/told.h"

#include <string.h>

#if defined(__x86_64__)

#define CALL_SIZE 6
#define RED_ZONE 128
#define PUSH_RAX 0x50
#define PUSH_RCX 0x51
#define TOUCH 0x8a /* a byte far below what is pushed */

/* Where the arena's code goes on, and its stack pointer there. */
struct behind {
	uintptr_t mark;
	uint64_t *stack;
};

static bool is_in_entry(uintptr_t address)
{
	return address >= (uintptr_t)ptl_entry_begin &&
	       address < (uintptr_t)ptl_entry_probe;
}

/* In an entry: what it has pushed is taken back. */
static bool leave_entry(greg_t *reg, struct behind *behind)
{
	uint64_t *stack = (uint64_t *)reg[REG_RSP];

	switch (*(const unsigned char *)reg[REG_RIP]) {
	case TOUCH:
		reg[REG_RCX] = (greg_t)*stack++;
		__attribute__((fallthrough));
	case PUSH_RCX:
		reg[REG_RAX] = (greg_t)*stack++;
		__attribute__((fallthrough));
	case PUSH_RAX:
		*behind = (struct behind){*stack, stack + 1};
		return true;
	}
	return false;
}

/* At the call of an entry, in an arena; or not. */
static bool leave_call(const greg_t *reg, struct behind *behind)
{
	const unsigned char *code = (const unsigned char *)reg[REG_RIP];

	if (code[0] != 0xff || code[1] != 0x15)
		return false;
	*behind = (struct behind){(uintptr_t)code + CALL_SIZE,
				  (uint64_t *)reg[REG_RSP]};
	return true;
}

/* Which entry was called from before the mark; PTL_PATCH_SLOTS: none. */
static uintptr_t slot_of(uintptr_t mark)
{
	const struct ptl_arena *arena = ptl_arena_at(mark - CALL_SIZE);
	int32_t distance;

	if (!arena)
		return PTL_PATCH_SLOTS;
	memcpy(&distance, (const void *)(mark - sizeof(distance)),
	       sizeof(distance));
	return (mark + (uintptr_t)(intptr_t)distance - arena->begin) /
	       sizeof(uint64_t);
}

/* Of typed ones, without what is in memory. */
static bool tell(uintptr_t slot, const struct behind *behind, uint64_t value)
{
	const uint64_t *ret = behind->stack;
	const uint64_t *far = ret + RED_ZONE / sizeof(*ret);
	uint64_t callee = *ptl_told_words(behind->mark);

	if (callee >> 63) /* switched off */
		return slot < PTL_PATCH_SLOTS;
	switch (slot) {
	case PTL_PATCH_BEGIN:
	case PTL_PATCH_BEGIN_TYPED:
		ptl_told_begin(callee, ret);
		return true;
	case PTL_PATCH_LOOP:
	case PTL_PATCH_LOOP_TYPED:
		ptl_told_loop(callee, far);
		return true;
	case PTL_PATCH_ENTRY:
	case PTL_PATCH_ENTRY_TYPED:
		ptl_told_only(callee, ret);
		return true;
	case PTL_PATCH_END:
	case PTL_PATCH_END_TYPED:
		ptl_told_end(callee, ret, value);
		return true;
	case PTL_PATCH_LEFT:
		ptl_told_left(callee, far);
		return true;
	case PTL_PATCH_LEFT_ROLE:
		ptl_told_left_role(callee, far);
		return true;
	}
	return false;
}

bool ptl_room_was_none(ucontext_t *context)
{
	greg_t *reg = context->uc_mcontext.gregs;
	uintptr_t at = (uintptr_t)reg[REG_RIP];
	mcontext_t was = context->uc_mcontext;
	struct behind behind;

	if (!(is_in_entry(at) ? leave_entry(reg, &behind) :
				ptl_arena_at(at) && leave_call(reg, &behind)))
		return false;
	if (!tell(slot_of(behind.mark), &behind, (uint64_t)reg[REG_RAX])) {
		context->uc_mcontext = was;
		return false;
	}
	reg[REG_RIP] = (greg_t)behind.mark;
	reg[REG_RSP] = (greg_t)behind.stack;
	return true;
}

#else

bool ptl_room_was_none(ucontext_t *context)
{
	(void)context;
	return false;
}

#endif

void ptl_room_begin(void)
{
	ptl_handler_faults(ptl_room_was_none);
}
