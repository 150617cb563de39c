/* SPDX-License-Identifier: MIT */
/*
 * See foreign.h.  The steps are those of frame.c, and so are the rules' reader
 * and their cache: an address is looked up at its place here, which is one for
 * all processes that have the same object.
 */
#include "core/unwind/foreign.h"

#include <string.h>

#if defined(__x86_64__)

struct walk {
	struct ptl_walk plain; /* first: what the steps know */
	const struct ptl_foreign *foreign;
	uint64_t sp; /* of the innermost frame: where the copy begins */
	bool is_beyond;
	/* The object there whose rules are followed; and whether they had us
	 * look into it. */
	uint64_t object, object_size;
	bool has_read;
};

/* No stack is larger, as far as a word above it counts as cut off. */
#define STACK_MOST (UINT64_C(1) << 30)

static bool load_word(void *arg, uint64_t addr, uint64_t *value)
{
	struct walk *walk = arg;
	const struct ptl_foreign *foreign = walk->foreign;
	uint64_t at = addr - walk->sp;

	if (at < foreign->stack_size &&
	    foreign->stack_size - at >= sizeof(*value)) {
		memcpy(value, foreign->stack + at, sizeof(*value));
		return true;
	}
	if (addr - walk->object < walk->object_size && foreign->read != NULL) {
		walk->has_read = true;
		return foreign->read(foreign->arg, addr, value);
	}
	walk->is_beyond |= at < STACK_MOST;
	return false;
}

#define PTL_STEPS_LOAD load_word
#include "core/unwind/steps.inc"

/* Of the object that is looked at, what is here.  An object is made for each
 * walk, from the one that was found. */
static const unsigned char *here, *here_end;

bool ptl_loaded_at(struct ptl_unwind_object *object, uint64_t addr,
		   struct ptl_dwarf *bytes)
{
	(void)object;
	if (addr - (uintptr_t)here >= (uintptr_t)here_end - (uintptr_t)here)
		return false;
	bytes->at = (const unsigned char *)(uintptr_t)addr;
	bytes->end = here_end;
	return true;
}

/* Code without rules: where the frame pointer is 0 begins a thread. */
static enum ptl_step without_rules(struct ptl_walk *walk)
{
	if (ptl_dwarf_knows(&walk->regs, PTL_CFI_RBP) &&
	    walk->regs.value[PTL_CFI_RBP] == 0)
		return PTL_STEP_END;
	return by_frame_pointer(walk);
}

/* A rule may be too long for the cache; then it is in `aside'. */
static uint64_t find_rule(struct walk *walk, uint64_t pc,
			  struct ptl_aside *aside)
{
	struct ptl_foreign_object object = {.table = 0};
	uint64_t word, at;

	walk->object_size = 0;
	if (!walk->foreign->find(walk->foreign->arg, pc, &object) ||
	    !object.table)
		return PTL_ROWS_NONE;
	walk->object = (uintptr_t)object.begin + object.bias;
	walk->object_size = (uint64_t)(object.end - object.begin);
	at = pc - object.bias;
	word = ptl_rows_find(at, walk->plain.generation);
	if (word)
		return word;
	here = object.bytes;
	here_end = object.bytes_end;
	aside->object = (struct ptl_unwind_object){
		.begin = object.begin,
		.end = object.end,
	};
	word = PTL_ROWS_NONE;
	if (ptl_cfi_find(&aside->object, object.table, at, &aside->row,
			 &aside->run))
		word = ptl_rows_pack(&aside->row);
	if (word)
		ptl_rows_add(at, walk->plain.generation, word);
	return word;
}

static enum ptl_step step(struct walk *walk)
{
	static struct ptl_aside aside;
	uint64_t pc =
		walk->plain.regs.value[PTL_CFI_RIP] - !walk->plain.is_exact;
	uint64_t word;

	walk->has_read = false;
	word = find_rule(walk, pc, &aside);

	if (word == PTL_ROWS_NONE)
		return without_rules(&walk->plain);
	return word ? by_word(&walk->plain, word) :
		      by_row(&walk->plain, &aside);
}

/* Was it a frame without size, whose caller is in a table of its object? */
static bool is_between(const struct walk *walk, uint64_t sp)
{
	return walk->has_read && walk->plain.is_exact &&
	       walk->plain.regs.value[PTL_CFI_RSP] == sp;
}

/* Adds the callers, outwards. */
static enum ptl_foreign_end walk_out(struct walk *walk, uint64_t *frame,
				     size_t max, size_t *nr)
{
	enum ptl_step how;

	while (*nr < max) {
		uint64_t sp = walk->plain.regs.value[PTL_CFI_RSP];

		how = step(walk);
		if (how == PTL_STEP_END)
			return PTL_FOREIGN_WHOLE;
		if (how > PTL_STEP_END)
			return walk->is_beyond ? PTL_FOREIGN_CUT :
						 PTL_FOREIGN_LOST;
		/* Rules that lead inwards, or nowhere, are wrong. */
		if (walk->plain.regs.value[PTL_CFI_RSP] <= sp &&
		    !walk->plain.is_exact && *nr > 1)
			return PTL_FOREIGN_LOST;
		if (!ptl_address_is_code(walk->plain.regs.value[PTL_CFI_RIP]))
			return walk->plain.regs.value[PTL_CFI_RIP] == 0 ?
				       PTL_FOREIGN_WHOLE :
				       PTL_FOREIGN_LOST;
		/* Where a function returns to us before it does so to its
		 * caller (preload/hook/site.h) is no frame of the program. */
		*nr -= is_between(walk, sp) && *nr > 1;
		/* A frame that was interrupted, too, as the first. */
		frame[(*nr)++] = walk->plain.regs.value[PTL_CFI_RIP] +
				 walk->plain.is_exact;
	}
	return PTL_FOREIGN_CUT;
}

size_t ptl_foreign_unwind(const struct ptl_foreign *foreign, uint64_t *frame,
			  size_t max, enum ptl_foreign_end *end)
{
	struct walk walk = {
		.foreign = foreign,
		.sp = foreign->reg[PTL_CFI_RSP],
	};
	size_t nr = 1;

	memcpy(walk.plain.regs.value, foreign->reg,
	       sizeof(walk.plain.regs.value));
	walk.plain.regs.known = (UINT32_C(1) << PTL_DWARF_REGS) - 1;
	walk.plain.is_exact = true;
	walk.plain.generation = ptl_rows_generation();
	frame[0] = foreign->reg[PTL_CFI_RIP] + 1;
	*end = walk_out(&walk, frame, max, &nr);
	return nr;
}

#else

/* By libunwind's rules, some day: no other processor's registers are known. */
size_t ptl_foreign_unwind(const struct ptl_foreign *foreign, uint64_t *frame,
			  size_t max, enum ptl_foreign_end *end)
{
	(void)max;
	frame[0] = foreign->reg[PTL_CFI_RIP] + 1;
	*end = PTL_FOREIGN_LOST;
	return 1;
}

#endif
