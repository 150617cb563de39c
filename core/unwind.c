/* SPDX-License-Identifier: MIT */
/*
 * The walk: frame by frame by the call frame information of the objects that
 * are loaded, and by frame pointers where there is none (code made at run
 * time; processors other than x86-64).
 *
 * Objects are found by glibc's _dl_find_object(), which is there since 2.35 and
 * takes no lock.
 *
 * Why not libunwind, which was asked for?  It finds objects by
 * dl_iterate_phdr(), under the loader's lock: an event recorded in a handler
 * that interrupted dlopen(), or after a fork in the midst of one, would wait
 * for ever.  It maps memory for its caches, has a mutex around them, and would
 * be one more library in the traced program.  It is what the tests compare
 * with, and finds nothing more; nor is it faster (t/unit/unwind-libunwind.c
 * prints what a frame costs of both).
 *
 * Rules that are right lead to memory that is there.  For others each page is
 * asked for first, unless it is known to be there: between us and the top of
 * the main thread's stack, and in that part of another thread's own stack that
 * has been asked for, which stays as long as the thread.
 */
#include "core/unwind.h"

#include "core/rows.h"
#include "core/slot.h"
#include "core/sys.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/auxv.h>

#define PAGE 4096u
#define PAGE_MASK (~(uint64_t)(PAGE - 1))
/* A stack is taken for the main thread's if it is so near to its top: below
 * lies a gap of 128 MiB at least. */
#define MAIN_STACK (UINT64_C(8) << 20)
#define ADDR_MAX ((UINT64_C(1) << 56) - 1)
/* New pages of a thread's own stack are asked for, so many at once. */
#define ASK_PAGES 16
/* Our own frames below that of the call. */
#define OWN_FRAMES 16

/* The top of the main thread's stack: the kernel's random bytes are there. */
static uint64_t main_top;

struct walk {
	struct ptl_dwarf_regs regs;
	bool is_exact;	    /* rip is where it was interrupted, no return */
	uint64_t low, high; /* memory known to be there */
};

static uintptr_t hidden, hidden_size;
static uint64_t (*plain_return)(uint64_t ret);

void ptl_unwind_hide(const void *from, const void *to,
		     uint64_t (*plain)(uint64_t ret))
{
	plain_return = plain;
	hidden = (uintptr_t)from;
	hidden_size = (uintptr_t)to - hidden;
}

static bool is_hidden(uint64_t addr)
{
	return addr - hidden < hidden_size;
}

#ifdef DLFO_EH_SEGMENT_TYPE
static int (*find_object)(void *addr, struct dl_find_object *object);
#endif

void ptl_unwind_init(void)
{
	if (main_top)
		return;
	main_top = getauxval(AT_RANDOM) & ~UINT64_C(7);
#ifdef DLFO_EH_SEGMENT_TYPE
	find_object =
		(__typeof__(find_object))dlsym(RTLD_DEFAULT, "_dl_find_object");
	if (!find_object)
		dlerror(); /* the program shall not find our failure */
#endif
}

/* Is there memory at addr, all of its page?  The kernel has to read there
 * before it finds that we ask for nothing. */
static bool ask(uint64_t addr)
{
	return ptl_sys(SYS_rt_sigprocmask, -1, addr, 0, 8) != -EFAULT;
}

/* Extends what is known to be there of the calling thread's own stack down to
 * page, if it can be.  A stack that is not its own is behind a gap; the main
 * thread's is elsewhere. */
static void learn(struct ptl_slot *slot, uint64_t page)
{
	uint64_t low = slot->stack ? slot->stack : slot->thread & PAGE_MASK;

	if (page >= low || low - page > MAIN_STACK || ptl_slots_no_syscalls ||
	    ptl_thread.tid == slot->pid)
		return;
	for (int i = 0; i < ASK_PAGES && low > page && ask(low - PAGE); i++)
		low -= PAGE;
	slot->stack = low;
}

/* Widens what is known from a page that is there to its whole stack, if that
 * is the main thread's or the calling thread's own. */
static bool widen(struct walk *walk, uint64_t page)
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

static PTL_COLD bool is_there(struct walk *walk, uint64_t addr)
{
	const struct ptl_slot *slot = ptl_thread.slot;
	uint64_t page = addr & PAGE_MASK;

	if (page == 0)
		return false;
	/* What the rules of hidden code say is in it. */
	if (is_hidden(addr) && is_hidden(walk->regs.value[PTL_CFI_RIP]))
		return true;
	if (slot->stack && addr >= slot->stack && addr < slot->thread)
		return widen(walk, page);
	if (ptl_slots_no_syscalls) {
		/* A thread's own stack ends below what pthread_self() is. */
		uint64_t top = (uint64_t)pthread_self();

		return addr >= walk->low && addr < top &&
		       top - walk->low < MAIN_STACK;
	}
	if (!ask(addr))
		return false;
	if (widen(walk, page))
		return true;
	if (page != walk->high)
		walk->low = page;
	walk->high = page + PAGE;
	return true;
}

/* Between the variables of frames a sanitizer sees none of its own. */
__attribute__((no_sanitize("address"))) static bool
load(void *arg, uint64_t addr, uint64_t *value)
{
	struct walk *walk = arg;

	if (addr % 8 ||
	    ((addr < walk->low || addr >= walk->high) && !is_there(walk, addr)))
		return false;
	*value = *(const volatile uint64_t *)(uintptr_t)addr;
	return true;
}

#if defined(__x86_64__)

static bool find_cfa(struct walk *walk, const struct ptl_cfi_row *row,
		     uint64_t *cfa)
{
	if (row->cfa.how == PTL_CFI_EXPRESSION)
		return ptl_dwarf_evaluate(row->base + row->cfa.value,
					  &walk->regs, 0, load, walk, cfa);
	if (row->cfa.how != PTL_CFI_OFFSET ||
	    !ptl_dwarf_knows(&walk->regs, row->cfa_reg))
		return false;
	*cfa = walk->regs.value[row->cfa_reg] +
	       (uint64_t)(int64_t)row->cfa.value;
	return true;
}

/* What register `reg' was in the caller; false: cannot be known. */
static bool find_register(struct walk *walk, const struct ptl_cfi_row *row,
			  uint32_t reg, uint64_t cfa, uint64_t *value)
{
	const struct ptl_cfi_rule *rule = &row->reg[reg];
	uint64_t addr;

	switch ((enum ptl_cfi_how)rule->how) {
	case PTL_CFI_SAME:
		*value = reg == PTL_CFI_RSP ? cfa : walk->regs.value[reg];
		return reg == PTL_CFI_RSP || ptl_dwarf_knows(&walk->regs, reg);
	case PTL_CFI_OFFSET:
		return load(walk, cfa + (uint64_t)(int64_t)rule->value, value);
	case PTL_CFI_VAL_OFFSET:
		*value = cfa + (uint64_t)(int64_t)rule->value;
		return true;
	case PTL_CFI_REGISTER:
		if (!ptl_dwarf_knows(&walk->regs, (uint32_t)rule->value))
			return false;
		*value = walk->regs.value[rule->value];
		return true;
	case PTL_CFI_EXPRESSION:
		return ptl_dwarf_evaluate(row->base + rule->value, &walk->regs,
					  cfa, load, walk, &addr) &&
		       load(walk, addr, value);
	case PTL_CFI_VAL_EXPRESSION:
		return ptl_dwarf_evaluate(row->base + rule->value, &walk->regs,
					  cfa, load, walk, value);
	case PTL_CFI_UNDEFINED:
		break;
	}
	return false;
}

/* What is loaded at pc: its table, and a name of it that the next object at
 * that place will hardly have.  0: nothing, or it has none. */
static const unsigned char *find_table(uint64_t pc, uint64_t *name)
{
#ifdef DLFO_EH_SEGMENT_TYPE
	struct dl_find_object object;

	if (!find_object || find_object((void *)pc, &object) != 0)
		return NULL;
	*name = (uintptr_t)object.dlfo_link_map ^
		(uintptr_t)object.dlfo_eh_frame;
	return object.dlfo_eh_frame;
#else
	(void)pc;
	(void)name;
	return NULL;
#endif
}

static bool by_frame_pointer(struct walk *walk)
{
	uint64_t rbp = walk->regs.value[PTL_CFI_RBP], pc;

	if (!ptl_dwarf_knows(&walk->regs, PTL_CFI_RBP) ||
	    rbp < walk->regs.value[PTL_CFI_RSP] ||
	    !load(walk, rbp, &walk->regs.value[PTL_CFI_RBP]) ||
	    !load(walk, rbp + 8, &walk->regs.value[PTL_CFI_RIP]))
		return false;
	pc = walk->regs.value[PTL_CFI_RIP];
	walk->regs.value[PTL_CFI_RIP] = is_hidden(pc) ? plain_return(pc) : pc;
	walk->regs.value[PTL_CFI_RSP] = rbp + 16;
	walk->regs.known =
		1u << PTL_CFI_RBP | 1u << PTL_CFI_RSP | 1u << PTL_CFI_RIP;
	walk->is_exact = false;
	return true;
}

/* What calls keep. */
#define KEPT UINT32_C(0x1f0c8)

/* By rules that were kept. */
static bool step_again(struct walk *walk, uint64_t word)
{
	struct ptl_dwarf_regs *regs = &walk->regs;
	uint32_t base = word & PTL_ROWS_BY_RBP ? PTL_CFI_RBP : PTL_CFI_RSP;
	uint64_t cfa = regs->value[base] + ptl_rows_cfa(word);

	if (word == PTL_ROWS_OUTERMOST || !ptl_dwarf_knows(regs, base) ||
	    !load(walk, cfa - 8, &regs->value[PTL_CFI_RIP]))
		return false;
	regs->known &= KEPT;
	for (unsigned int i = 0; i < PTL_ROWS_KEPT; i++) {
		uint64_t below = ptl_rows_below(word, i);
		uint32_t reg = ptl_rows_kept[i];

		if (below == 0)
			continue;
		regs->known |= 1u << reg;
		if (!load(walk, cfa - below, &regs->value[reg]))
			regs->known &= ~(1u << reg);
	}
	regs->value[PTL_CFI_RSP] = cfa;
	walk->is_exact = false;
	return true;
}

static bool step_by_row(struct walk *walk, const struct ptl_cfi_row *row)
{
	uint64_t value[PTL_DWARF_REGS], cfa;
	uint32_t known = 0;

	if (!find_cfa(walk, row, &cfa))
		return false;
	for (uint32_t reg = 0; reg < PTL_DWARF_REGS; reg++) {
		if (!row->is_signal && row->reg[reg].how == PTL_CFI_SAME &&
		    !(KEPT >> reg & 1))
			continue;
		if (find_register(walk, row, reg, cfa, &value[reg]))
			known |= 1u << reg;
	}
	if (!(known >> PTL_CFI_RIP & 1) || !(known >> PTL_CFI_RSP & 1))
		return false;
	for (uint32_t reg = 0; reg < PTL_DWARF_REGS; reg++)
		if (known >> reg & 1)
			walk->regs.value[reg] = value[reg];
	walk->regs.known = known;
	walk->is_exact = row->is_signal;
	return true;
}

/* To the caller.  False: there is none, or it cannot be found. */
static bool step(struct walk *walk)
{
	uint64_t pc = walk->regs.value[PTL_CFI_RIP] - !walk->is_exact;
	uint64_t name, word;
	const unsigned char *table = find_table(pc, &name);
	struct ptl_cfi_row row;

	if (!table)
		return by_frame_pointer(walk);
	word = ptl_rows_find(pc, name);
	if (word)
		return step_again(walk, word);
	if (!ptl_cfi_find(table, pc, &row))
		return by_frame_pointer(walk);
	ptl_rows_add(pc, name, &row);
	if (!step_by_row(walk, &row))
		return false;
	/* A handler returns elsewhere.  Hidden code is a signal's where a
	 * function returns to it on its way to the program: that one's return
	 * address, less one, is where it says it was interrupted. */
	if (walk->is_exact && is_hidden(pc)) {
		walk->regs.value[PTL_CFI_RIP]++;
		walk->is_exact = false;
	}
	return true;
}

/* From here: what calls keep. */
PTL_INLINE void begin(struct walk *walk)
{
	__asm__ volatile("leaq 0(%%rip), %%rax\n\t"
			 "movq %%rax, 128(%0)\n\t"
			 "movq %%rbx, 24(%0)\n\t"
			 "movq %%rbp, 48(%0)\n\t"
			 "movq %%rsp, 56(%0)\n\t"
			 "movq %%r12, 96(%0)\n\t"
			 "movq %%r13, 104(%0)\n\t"
			 "movq %%r14, 112(%0)\n\t"
			 "movq %%r15, 120(%0)"
			 :
			 : "r"(walk->regs.value)
			 : "rax", "memory");
	walk->regs.known = KEPT;
	walk->is_exact = true;
	walk->low = walk->regs.value[PTL_CFI_RSP];
}

#else

static bool step(struct walk *walk)
{
	uint64_t frame = walk->regs.value[PTL_CFI_RBP], pc;

	if (frame < walk->regs.value[PTL_CFI_RSP] ||
	    !load(walk, frame, &walk->regs.value[PTL_CFI_RBP]) ||
	    !load(walk, frame + 8, &walk->regs.value[PTL_CFI_RIP]))
		return false;
	pc = ptl_plain_address(walk->regs.value[PTL_CFI_RIP]);
	walk->regs.value[PTL_CFI_RIP] = is_hidden(pc) ? plain_return(pc) : pc;
	walk->regs.value[PTL_CFI_RSP] = frame + 16;
	return true;
}

PTL_INLINE void begin(struct walk *walk)
{
	walk->regs.value[PTL_CFI_RBP] = (uintptr_t)__builtin_frame_address(0);
	walk->regs.value[PTL_CFI_RSP] = walk->regs.value[PTL_CFI_RBP];
	walk->low = walk->regs.value[PTL_CFI_RBP];
}

#endif

__attribute__((noinline)) size_t ptl_unwind(uint64_t *frames, size_t max,
					    uint64_t addr)
{
	struct walk walk;
	bool found = false;
	size_t nr = 1;

	begin(&walk);
	walk.low &= PAGE_MASK;
	walk.high = walk.low + PAGE;
	if (!widen(&walk, walk.low) && ptl_slot_owned(ptl_thread.slot)) {
		learn(ptl_thread.slot, walk.low);
		widen(&walk, walk.low);
	}
	frames[0] = addr;
	for (size_t i = 0; nr < max && (found || i < OWN_FRAMES); i++) {
		uint64_t pc;

		if (!step(&walk))
			break;
		pc = walk.regs.value[PTL_CFI_RIP];
		/* No code is there; the outermost frame says so with 0. */
		if (pc < PAGE || pc > ADDR_MAX)
			break;
		if (found && !is_hidden(pc))
			frames[nr++] = pc;
		found |= pc == addr;
	}
	return nr;
}
