/* SPDX-License-Identifier: MIT */
/* What rt_sigreturn(2) takes a thread's state from, on x86-64. */
#ifndef PTL_TOOLS_INJECT_FRAME_H
#define PTL_TOOLS_INJECT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/user.h>

/* Where a function returns to, and the kernel's struct ucontext behind that. */
struct ptl_inject_frame {
	uint64_t ret;
	uint64_t flags;
	uint64_t link;
	uint64_t stack;
	int32_t stack_flags;
	int32_t reserved1;
	uint64_t stack_size;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t err, trapno, oldmask, cr2;
	uint64_t xstate; /* where the vector registers are; 0: none */
	uint64_t reserved2[8];
	uint64_t mask; /* of signals */
};

/* Fills in registers and mask; ret: where it is called. */
void ptl_frame_fill(struct ptl_inject_frame *frame,
		    const struct user_regs_struct *regs, uint64_t mask,
		    uintptr_t ret);

/* Can it be one that the kernel has made? */
bool ptl_frame_is_kernels(const struct ptl_inject_frame *frame);

/* And the vector registers, there. */
void ptl_frame_add_xstate(struct ptl_inject_frame *frame, uintptr_t xstate);

/* Makes of what ptrace(2) says of the vector registers what is in a frame: with
 * marks.  `size' is the size without the last 4 bytes, which are made, too. */
void ptl_frame_mark(unsigned char *xstate, size_t size);

#endif
