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

#define PTL_STEPS_LOAD ptl_frame_load
#include "core/unwind/steps.inc"

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
/* There are the kernel's random bytes. */
uint64_t ptl_unwind_main_top;

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
	if (ptl_unwind_main_top)
		return;
	ptl_unwind_main_top = getauxval(AT_RANDOM) & ~UINT64_C(7);
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

	if (page < ptl_unwind_main_top &&
	    ptl_unwind_main_top - page < MAIN_STACK)
		walk->high = ptl_unwind_main_top;
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
