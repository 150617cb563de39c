/* SPDX-License-Identifier: MIT */
/*
 * A frame's caller is found by the call frame information of the loaded
 * objects, and by frame pointers where there is none (code generated at run
 * time; processors other than x86-64).
 *
 * Correct rules lead to mapped memory.  Since rules may be wrong, the kernel is
 * asked about each page first, unless the page is known to be mapped.  That is
 * known between our frame and the top of the main thread's stack, and in the
 * part of another thread's own stack that was asked about before: it stays
 * mapped as long as the thread lives.
 */
#include "core/unwind/frame.h"

#include "core/buffer/slot.h"
#include "core/sys/syscall.h"
#include "core/unwind/cache.h"
#include "core/unwind/scratch.h"

#include <pthread.h>
#include <sys/auxv.h>

#define PAGE 4096u
#define PAGE_MASK (~(uint64_t)(PAGE - 1))
/* A stack so near to the top of the main thread's stack is taken for it: below
 * that stack is a gap of at least 128 MiB. */
#define MAIN_STACK (UINT64_C(8) << 20)
/* The kernel is asked about so many new pages of a thread's own stack at once.
 */
#define ASK_PAGES 16
/* Near the top of the main thread's stack: the kernel's random bytes. */
static uint64_t main_top;

static uintptr_t hidden, hidden_size;
static uint64_t (*plain_return)(uint64_t ret);

void ptl_frame_hide(const void *from, const void *to,
		    uint64_t (*plain)(uint64_t ret))
{
	plain_return = plain;
	hidden = (uintptr_t)from;
	hidden_size = (uintptr_t)to - hidden;
}

bool ptl_frame_is_hidden(uint64_t addr)
{
	return addr - hidden < hidden_size;
}

uint64_t ptl_frame_plain(uint64_t ret)
{
	return PTL_UNLIKELY(ptl_frame_is_hidden(ret)) ? plain_return(ret) : ret;
}

void ptl_frame_init(void)
{
	if (main_top)
		return;
	main_top = getauxval(AT_RANDOM) & ~UINT64_C(7);
	ptl_loaded_init();
}

/* Extends the part of the calling thread's own stack that is known to be mapped
 * down to page, if possible.  A stack that is not its own is behind a gap; the
 * main thread's stack is elsewhere. */
static void learn(struct ptl_slot *slot, uint64_t page)
{
	uint64_t low = slot->stack ? slot->stack : slot->thread & PAGE_MASK;

	if (page >= low || low - page > MAIN_STACK || !ptl_slots_may_call() ||
	    ptl_thread.tid == slot->pid)
		return;
	for (int i = 0; i < ASK_PAGES && low > page; i++) {
		if (!ptl_sys_may_read(low - PAGE))
			break;
		low -= PAGE;
	}
	slot->stack = low;
}

/* Extends the known memory from a mapped page to the whole stack, if that is
 * the main thread's or the calling thread's own. */
static bool widen(struct ptl_walk *walk, uint64_t page)
{
	const struct ptl_slot *slot = ptl_thread.slot;

	if (page < main_top && main_top - page < MAIN_STACK)
		walk->high = main_top;
	else if (slot->stack && page >= slot->stack && page < slot->thread)
		walk->high = slot->thread;
	else
		return false;
	walk->low = page;
	return true;
}

PTL_COLD bool ptl_frame_is_there(struct ptl_walk *walk, uint64_t addr)
{
	const struct ptl_slot *slot = ptl_thread.slot;
	uint64_t page = addr & PAGE_MASK;

	if (page == 0)
		return false;
	/* The rules of hidden code read their values from that code. */
	if (ptl_frame_is_hidden(addr) &&
	    ptl_frame_is_hidden(walk->regs.value[PTL_CFI_RIP]))
		return true;
	if (slot->stack && addr >= slot->stack && addr < slot->thread)
		return widen(walk, page);
	if (!ptl_slots_may_call()) {
		/* A thread's own stack ends below the address that
		 * pthread_self() is. */
		uint64_t top = (uint64_t)pthread_self();

		return addr >= walk->low && addr < top &&
		       top - walk->low < MAIN_STACK;
	}
	if (!ptl_sys_may_read(addr))
		return false;
	if (widen(walk, page))
		return true;
	if (page != walk->high)
		walk->low = page;
	walk->high = page + PAGE;
	return true;
}

#if defined(__x86_64__)

static bool load(void *walk, uint64_t addr, uint64_t *value)
{
	return ptl_frame_load(walk, addr, value);
}

static bool find_cfa(struct ptl_walk *walk, struct ptl_aside *aside,
		     uint64_t *cfa)
{
	const struct ptl_cfi_row *row = &aside->row;

	if (row->cfa.how == PTL_CFI_EXPRESSION)
		return ptl_dwarf_evaluate(&aside->operands,
					  row->base + row->cfa.value,
					  &walk->regs, 0, load, walk, cfa);
	if (row->cfa.how != PTL_CFI_OFFSET ||
	    !ptl_dwarf_knows(&walk->regs, row->cfa_reg))
		return false;
	*cfa = walk->regs.value[row->cfa_reg] +
	       (uint64_t)(int64_t)row->cfa.value;
	return true;
}

/* The value of register `reg' in the caller; false: it cannot be known. */
static bool find_register(struct ptl_walk *walk, struct ptl_aside *aside,
			  uint32_t reg, uint64_t cfa, uint64_t *value)
{
	const struct ptl_cfi_row *row = &aside->row;
	const struct ptl_cfi_rule *rule = &row->reg[reg];
	uint64_t addr;

	switch ((enum ptl_cfi_how)rule->how) {
	case PTL_CFI_SAME:
		*value = reg == PTL_CFI_RSP ? cfa : walk->regs.value[reg];
		return reg == PTL_CFI_RSP || ptl_dwarf_knows(&walk->regs, reg);
	case PTL_CFI_OFFSET:
		return ptl_frame_load(
			walk, cfa + (uint64_t)(int64_t)rule->value, value);
	case PTL_CFI_VAL_OFFSET:
		*value = cfa + (uint64_t)(int64_t)rule->value;
		return true;
	case PTL_CFI_REGISTER:
		if (!ptl_dwarf_knows(&walk->regs, (uint32_t)rule->value))
			return false;
		*value = walk->regs.value[rule->value];
		return true;
	case PTL_CFI_EXPRESSION:
		return ptl_dwarf_evaluate(&aside->operands,
					  row->base + rule->value, &walk->regs,
					  cfa, load, walk, &addr) &&
		       ptl_frame_load(walk, addr, value);
	case PTL_CFI_VAL_EXPRESSION:
		return ptl_dwarf_evaluate(&aside->operands,
					  row->base + rule->value, &walk->regs,
					  cfa, load, walk, value);
	case PTL_CFI_UNDEFINED:
		break;
	}
	return false;
}

/* The object at pc, and its table; 0: there is none, or it has none.  The code
 * that finds it is not ours and may use vector registers. */
static __attribute__((noinline)) uint64_t find_table(uint64_t pc,
						     struct ptl_aside *aside)
{
	uint64_t table;

	static_assert(PTL_LOADED_ROOM <= PTL_DESK_WORDS, "room");
	ptl_aside_save(aside);
	table = ptl_loaded_table(pc, aside->desk.word, &aside->object);
	ptl_aside_restore(aside);
	return table;
}

static enum ptl_step by_frame_pointer(struct ptl_walk *walk)
{
	uint64_t rbp = walk->regs.value[PTL_CFI_RBP], pc;

	if (!ptl_dwarf_knows(&walk->regs, PTL_CFI_RBP) ||
	    rbp < walk->regs.value[PTL_CFI_RSP] ||
	    !ptl_frame_load(walk, rbp, &walk->regs.value[PTL_CFI_RBP]) ||
	    !ptl_frame_load(walk, rbp + 8, &pc))
		return PTL_STEP_FAILED;
	walk->regs.value[PTL_CFI_RIP] = pc;
	walk->regs.value[PTL_CFI_RSP] = rbp + 16;
	walk->regs.known =
		1u << PTL_CFI_RBP | 1u << PTL_CFI_RSP | 1u << PTL_CFI_RIP;
	walk->is_exact = false;
	walk->below = 16;
	return PTL_STEP_PLAIN;
}

/* Steps by rules that fit into a word. */
static enum ptl_step by_word(struct ptl_walk *walk, uint64_t word)
{
	struct ptl_dwarf_regs *regs = &walk->regs;
	uint32_t base = word & PTL_ROWS_BY_RBP ? PTL_CFI_RBP : PTL_CFI_RSP;
	uint64_t cfa = regs->value[base] + ptl_rows_cfa(word);

	if (word == PTL_ROWS_NONE)
		return by_frame_pointer(walk);
	if (word == PTL_ROWS_OUTERMOST)
		return PTL_STEP_END;
	if (!ptl_dwarf_knows(regs, base) ||
	    !ptl_frame_load(walk, cfa - 8, &regs->value[PTL_CFI_RIP]))
		return PTL_STEP_FAILED;
	regs->known &= PTL_FRAME_KEPT;
	walk->below = 0;
	for (unsigned int i = 0; i < PTL_ROWS_KEPT; i++) {
		uint64_t below = ptl_rows_below(word, i);
		uint32_t reg = ptl_rows_kept[i];

		if (below == 0)
			continue;
		if (reg == PTL_CFI_RBP)
			walk->below = (uint32_t)below;
		regs->known |= 1u << reg;
		if (!ptl_frame_load(walk, cfa - below, &regs->value[reg]))
			regs->known &= ~(1u << reg);
	}
	regs->value[PTL_CFI_RSP] = cfa;
	walk->is_exact = false;
	return PTL_STEP_PLAIN;
}

static __attribute__((noinline)) enum ptl_step by_row(struct ptl_walk *walk,
						      struct ptl_aside *aside)
{
	const struct ptl_cfi_row *row = &aside->row;
	uint64_t *value = aside->value;
	uint32_t known = 0;
	uint64_t cfa;

	if (!find_cfa(walk, aside, &cfa))
		return PTL_STEP_FAILED;
	for (uint32_t reg = 0; reg < PTL_DWARF_REGS; reg++) {
		if (!row->is_signal && row->reg[reg].how == PTL_CFI_SAME &&
		    !(PTL_FRAME_KEPT >> reg & 1))
			continue;
		if (find_register(walk, aside, reg, cfa, &value[reg]))
			known |= 1u << reg;
	}
	if (!(known >> PTL_CFI_RIP & 1) || !(known >> PTL_CFI_RSP & 1))
		return PTL_STEP_FAILED;
	for (uint32_t reg = 0; reg < PTL_DWARF_REGS; reg++)
		if (known >> reg & 1)
			walk->regs.value[reg] = value[reg];
	walk->regs.known = known;
	walk->is_exact = row->is_signal;
	return PTL_STEP_OTHER;
}

/* Steps by rules that are not in the cache. */
static PTL_COLD enum ptl_step by_table(struct ptl_walk *walk, uint64_t pc,
				       struct ptl_aside *aside)
{
	uint64_t table = find_table(pc, aside);
	uint64_t word = PTL_ROWS_NONE;
	enum ptl_step how;

	if (table &&
	    ptl_cfi_find(&aside->object, table, pc, &aside->row, &aside->run))
		word = ptl_rows_pack(&aside->row);
	if (word) {
		ptl_rows_add(pc, walk->generation, word);
		return by_word(walk, word);
	}
	if (walk->is_partial)
		return PTL_STEP_AGAIN;
	how = by_row(walk, aside);
	/* A handler returns elsewhere.  Hidden code is marked as a signal frame
	 * where a function returns to it on its way to the program: the address
	 * where it was interrupted is that function's return address minus one.
	 */
	if (how == PTL_STEP_OTHER && walk->is_exact &&
	    ptl_frame_is_hidden(pc)) {
		walk->regs.value[PTL_CFI_RIP]++;
		walk->is_exact = false;
	}
	return how;
}

enum ptl_step ptl_frame_step(struct ptl_walk *walk)
{
	uint64_t pc = walk->regs.value[PTL_CFI_RIP] - !walk->is_exact, word;
	struct ptl_aside *aside;
	enum ptl_step how;

	if (PTL_UNLIKELY(ptl_frame_is_hidden(pc)) && !walk->is_exact) {
		uint64_t ret = plain_return(pc + 1);

		walk->regs.value[PTL_CFI_RIP] = ret;
		if (ret != pc + 1)
			return PTL_STEP_SITE;
	}
	word = ptl_rows_find(pc, walk->generation);
	if (PTL_LIKELY(word != 0))
		return by_word(walk, word);
	aside = ptl_aside_take();
	walk->is_cut = !aside;
	if (!aside)
		return PTL_STEP_FAILED;
	how = by_table(walk, pc, aside);
	ptl_aside_put(aside);
	return how;
}

#else

enum ptl_step ptl_frame_step(struct ptl_walk *walk)
{
	uint64_t frame = walk->regs.value[PTL_CFI_RBP], pc;

	if (frame < walk->regs.value[PTL_CFI_RSP] ||
	    !ptl_frame_load(walk, frame, &walk->regs.value[PTL_CFI_RBP]) ||
	    !ptl_frame_load(walk, frame + 8, &walk->regs.value[PTL_CFI_RIP]))
		return PTL_STEP_FAILED;
	pc = ptl_plain_address(walk->regs.value[PTL_CFI_RIP]);
	walk->regs.value[PTL_CFI_RIP] = ptl_frame_plain(pc);
	walk->regs.value[PTL_CFI_RSP] = frame + 16;
	return PTL_STEP_OTHER;
}

#endif

void ptl_frame_begin(struct ptl_walk *walk)
{
	walk->generation = ptl_rows_generation();
	walk->is_partial = false;
	walk->is_cut = false;
	walk->low = walk->regs.value[PTL_CFI_RSP] & PAGE_MASK;
	walk->high = walk->low + PAGE;
	if (!widen(walk, walk->low) && ptl_slot_owned(ptl_thread.slot)) {
		learn(ptl_thread.slot, walk->low);
		widen(walk, walk->low);
	}
}
