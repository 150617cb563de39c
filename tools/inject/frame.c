/* SPDX-License-Identifier: MIT */
#include "tools/inject/frame.h"

#if defined(__x86_64__)

#include <stddef.h>
#include <string.h>

/* As the kernel has them, for x86-64. */
#define XSTATE_THERE 1u
#define SS_THERE 2u
#define SS_STRICT 4u
#define USER_CODE 0x33 /* the segment of 64-bit programs */
#define MAGIC1 0x46505853u
#define MAGIC2 0x46505845u
#define SOFTWARE 464 /* bytes that the processor leaves to software */

/* No flags of sigaltstack(2): the kernel leaves it alone then. */
#define STACK_KEPT 0x400

_Static_assert(offsetof(struct ptl_inject_frame, mask) == 8 + 40 + 256,
	       "the kernel's");

void ptl_frame_fill(struct ptl_inject_frame *frame,
		    const struct user_regs_struct *regs, uint64_t mask,
		    uintptr_t ret)
{
	*frame = (struct ptl_inject_frame){
		.ret = ret,
		.flags = SS_THERE | SS_STRICT,
		.stack_flags = STACK_KEPT,
		.r8 = regs->r8,
		.r9 = regs->r9,
		.r10 = regs->r10,
		.r11 = regs->r11,
		.r12 = regs->r12,
		.r13 = regs->r13,
		.r14 = regs->r14,
		.r15 = regs->r15,
		.rdi = regs->rdi,
		.rsi = regs->rsi,
		.rbp = regs->rbp,
		.rbx = regs->rbx,
		.rdx = regs->rdx,
		.rax = regs->rax,
		.rcx = regs->rcx,
		.rsp = regs->rsp,
		.rip = regs->rip,
		.eflags = regs->eflags,
		.cs = (uint16_t)regs->cs,
		.ss = (uint16_t)regs->ss,
		.mask = mask,
	};
}

bool ptl_frame_is_kernels(const struct ptl_inject_frame *frame)
{
	return frame->flags <= (XSTATE_THERE | SS_THERE | SS_STRICT) &&
	       frame->link == 0 && frame->cs == USER_CODE;
}

void ptl_frame_add_xstate(struct ptl_inject_frame *frame, uintptr_t xstate)
{
	frame->xstate = xstate;
	frame->flags |= XSTATE_THERE;
}

void ptl_frame_mark(unsigned char *xstate, size_t size)
{
	struct {
		uint32_t magic1, extended_size;
		uint64_t features;
		uint32_t size, reserved[7];
	} marks = {.magic1 = MAGIC1,
		   .extended_size = (uint32_t)size + 4,
		   .size = (uint32_t)size};
	const uint32_t magic2 = MAGIC2;

	/* Which features there are ptrace() says in the same place. */
	memcpy(&marks.features, xstate + SOFTWARE, sizeof(marks.features));
	memcpy(xstate + SOFTWARE, &marks, sizeof(marks));
	memcpy(xstate + size, &magic2, sizeof(magic2));
}

#endif
