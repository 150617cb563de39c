/* SPDX-License-Identifier: MIT */
/*
 * Called by the code of an arena: a patched function begins, or ends.  All
 * registers but the flags are as they were: the caller of a function that it
 * knows relies on what that leaves alone.  (For jumps the arena keeps the flags,
 * too.)  The recorder uses general registers only.
 *
 * To unwinders this is the function that the arena stands for: the return
 * address into the arena is passed over.
 */
#if defined(__x86_64__)

	.text

	.macro	PUSH register
	pushq	%\register
	.cfi_adjust_cfa_offset 8
	.endm

	.macro	POP register
	popq	%\register
	.cfi_adjust_cfa_offset -8
	.endm

/* `above': bytes between our return address and the function's. */
	.macro	ENTRY name, told, above, value=0
	.globl	\name
	.hidden	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	.cfi_def_cfa_offset 16 + \above
	endbr64
	PUSH	rax
	movq	posix_trace_active_np@GOTPCREL(%rip), %rax
	movq	(%rax), %rax
	cmpq	$0, (%rax)
	jne	1f
	.cfi_remember_state
	POP	rax
	ret
	.cfi_restore_state
	.p2align 4
1:	.irp	register, rdi, rsi, rdx, rcx, r8, r9, r10, r11
	PUSH	\register
	.endr
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	80(%rsp), %rdi
	leaq	88 + \above(%rsp), %rsi
	.if	\value
	movq	72(%rsp), %rdx
	.endif
	call	\told
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	.irp	register, r11, r10, r9, r8, rcx, rdx, rsi, rdi, rax
	POP	\register
	.endr
	ret
	.cfi_endproc
	.size	\name, . - \name
	.hidden	\told
	.endm

	ENTRY	ptl_entry_begin, ptl_told_begin, 0
	ENTRY	ptl_entry_loop, ptl_told_loop, 0
	ENTRY	ptl_entry_only, ptl_told_only, 0
	ENTRY	ptl_entry_end, ptl_told_end, 0, 1
	/* The flags, and the red zone. */
	ENTRY	ptl_entry_left, ptl_told_left, 136

#elif defined(__aarch64__)

/* For this processor no patches are made. */
	.text
	.irp	name, ptl_entry_begin, ptl_entry_loop, ptl_entry_only, \
		ptl_entry_end, ptl_entry_left
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
	hint	34			/* bti c */
	ret
	.size	\name, . - \name
	.endr

#endif

#include "preload/hook/marks.inc"
