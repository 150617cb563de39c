/* SPDX-License-Identifier: MIT */
/*
 * vfork(): parent and child return from it on the same stack, so no frame of
 * ours may be on it then; and with shadow stacks a second `ret' faults.  The
 * hook runs in the parent first; then we jump, and libc's vfork returns to our
 * caller twice.  No code of ours runs when the parent returns.
 */
	.text
	.globl	vfork
	.type	vfork, %function
	.globl	__vfork
	.type	__vfork, %function
	.p2align 4

#if defined(__x86_64__)

vfork:
__vfork:
	.cfi_startproc
	endbr64
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	8(%rsp), %rdi		/* our caller */
	call	ptl_vfork_hook		/* returns the real one */
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	*%rax
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.hidden	ptl_vfork_hook

#elif defined(__i386__)

vfork:
__vfork:
	.cfi_startproc
	endbr32
	subl	$8, %esp
	.cfi_adjust_cfa_offset 8
	pushl	8(%esp)			/* our caller */
	.cfi_adjust_cfa_offset 4
	call	ptl_vfork_hook
	addl	$12, %esp
	.cfi_adjust_cfa_offset -12
	jmp	*%eax
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.hidden	ptl_vfork_hook

#elif defined(__aarch64__)

vfork:
__vfork:
	.cfi_startproc
	hint	34			/* bti c */
	stp	x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	mov	x0, x30
	bl	ptl_vfork_hook
	ldp	x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -16
	mov	x16, x0			/* a jump through x16 may land on bti c */
	br	x16
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.hidden	ptl_vfork_hook

#endif

#include "preload/hook/marks.inc"
