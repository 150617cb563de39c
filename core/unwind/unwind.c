/* SPDX-License-Identifier: MIT */
/*
 * Chooses the unwinder (backend.h).  Ours walks frame by frame (frame.h) until
 * it meets a frame of the last walk (last.h).
 *
 * Why not libunwind alone?  It takes locks, makes system calls and needs more
 * stack than a thread may have (libunwind.c says what follows from that).
 * Where there are rules for x86-64 it finds no more frames than ours, and takes
 * ten times as long (t/unit/unwind/libunwind.c prints the cost of a frame).
 */
#include "core/unwind/unwind.h"

#include "core/sys/syscall.h"
#include "core/unwind/backend.h"

void ptl_unwind_init(void)
{
	ptl_frame_init();
}

void ptl_unwind_hide(const void *from, const void *to,
		     uint64_t (*plain)(uint64_t ret))
{
	ptl_frame_hide(from, to, plain);
}

const char *ptl_unwind_load(void *(*open)(const char *path, int flags))
{
	return ptl_libunwind_load(open);
}

const void *ptl_unwind_loaded(void)
{
	return ptl_libunwind_code();
}

void ptl_unwind_forked(void)
{
	ptl_libunwind_forked();
}

#if defined(__x86_64__)

/* The registers here that calls preserve. */
PTL_INLINE void begin(struct ptl_walk *walk)
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
	walk->regs.known = PTL_FRAME_KEPT;
	walk->is_exact = true;
	ptl_frame_begin(walk);
}

#else

PTL_INLINE void begin(struct ptl_walk *walk)
{
	walk->regs.value[PTL_CFI_RBP] = (uintptr_t)__builtin_frame_address(0);
	walk->regs.value[PTL_CFI_RSP] = walk->regs.value[PTL_CFI_RBP];
	ptl_frame_begin(walk);
}

#endif

/* Walks the whole stack. */
static void walk_all(struct ptl_walk *walk, struct ptl_found *found)
{
	enum ptl_step how = PTL_STEP_FAILED;

	while (ptl_found_wants(found) &&
	       (how = ptl_frame_step(walk)) < PTL_STEP_END &&
	       ptl_address_is_code(walk->regs.value[PTL_CFI_RIP]))
		ptl_found_add(found, walk->regs.value[PTL_CFI_RIP]);
	walk->is_whole =
		how == PTL_STEP_END ||
		(how < PTL_STEP_END && walk->regs.value[PTL_CFI_RIP] == 0);
}

static void look_for(struct ptl_found *found, size_t max, uint64_t addr)
{
	found->addr = addr;
	found->frame[0] = addr;
	found->nr = 1;
	found->max = (uint32_t)PTL_MIN(max, PTL_STACK_MAX);
	found->nr_own = 0;
	found->is_inside = false;
}

__attribute__((noinline)) size_t ptl_unwind(struct ptl_unwinding *unwinding,
					    size_t max, uint64_t addr,
					    struct ptl_walked *walked)
{
	struct ptl_found *found = &unwinding->found;
	struct ptl_walk *walk = &unwinding->walk;

	look_for(found, max, addr);
	begin(walk);
	if (PTL_UNLIKELY(ptl_libunwind_is_loaded)) {
		enum ptl_backend_found how = ptl_libunwind_unwind(walk, found);

		if (how == PTL_BACKEND_PART)
			walk_all(walk, found);
		if (how != PTL_BACKEND_NONE)
			return found->nr;
	}
	if (walked && ptl_walked_unwind(&unwinding->use, walked, walk, found))
		return found->nr;
	if (walked) {
		look_for(found, max, addr);
		begin(walk);
	}
	walk_all(walk, found);
	return found->nr;
}

/*
 * What a call to nowhere left: the stack has just got the return address, or a
 * register has it.  Of such code there are no rules.
 */
static void leave_nowhere(struct ptl_walk *walk, struct ptl_found *found)
{
	uint64_t *reg = walk->regs.value;
	uint64_t ret = 0;

	if (ptl_address_is_code(reg[PTL_CFI_RIP]) &&
	    ptl_sys_may_read(reg[PTL_CFI_RIP] & ~UINT64_C(7)))
		return;
#if defined(__x86_64__)
	if (!ptl_frame_load(walk, reg[PTL_CFI_RSP], &ret))
		return;
	reg[PTL_CFI_RSP] += sizeof(ret);
#else
	ret = ptl_plain_address(reg[0]);
#endif
	reg[PTL_CFI_RIP] = ptl_frame_plain(ret);
	walk->is_exact = false;
	if (ptl_address_is_code(ret) && ptl_found_wants(found))
		ptl_found_add(found, reg[PTL_CFI_RIP]);
}

size_t ptl_unwind_from(struct ptl_unwinding *unwinding, size_t max,
		       const uint64_t *reg, uint64_t addr)
{
	struct ptl_found *found = &unwinding->found;
	struct ptl_walk *walk = &unwinding->walk;

	look_for(found, max, addr);
	found->is_inside = true;
	for (uint32_t i = 0; i < PTL_DWARF_REGS; i++)
		walk->regs.value[i] = reg[i];
	walk->regs.known = (UINT32_C(1) << PTL_DWARF_REGS) - 1;
	walk->is_exact = true;
	walk->below = 0;
	ptl_frame_begin(walk);
	/* Where the stack pointer is need not be memory: it overflowed. */
	walk->low = walk->high = 0;
	leave_nowhere(walk, found);
	walk_all(walk, found);
	return found->nr;
}
