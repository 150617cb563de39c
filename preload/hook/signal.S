/* SPDX-License-Identifier: MIT */
/*
 * What the kernel calls instead of a handler of the program: one entry for each
 * handler (handlers.c).  It records the event and jumps to the handler, with
 * the stack and the arguments as the kernel made them: so nothing of ours is on
 * the stack that could be unwound, jumped out of, or returned to.
 */
#include "preload/hook/handlers.h"

	.text
	.globl	ptl_handler_entries
	.hidden	ptl_handler_entries
	.type	ptl_handler_entries, %function
	.hidden	ptl_signal_hook
	.p2align 4

#if defined(__x86_64__)

ptl_handler_entries:
	.cfi_startproc
	.set	entry, 0
	.rept	PTL_HANDLERS
	endbr64
	movl	$entry, %ecx
	jmp	record
	.p2align 4
	.set	entry, entry + 1
	.endr

record:
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	call	ptl_signal_hook		/* returns the handler */
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	movq	%rax, %r11
	xorl	%eax, %eax		/* as the kernel leaves it */
	jmp	*%r11
	.cfi_endproc
	.size	ptl_handler_entries, . - ptl_handler_entries

#elif defined(__i386__)

/* The kernel passes what a handler gets in registers, too: there all three are
 * known, or 0. */
ptl_handler_entries:
	.cfi_startproc
	.set	entry, 0
	.rept	PTL_HANDLERS
	endbr32
	pushl	$entry
	jmp	record
	.p2align 4
	.set	entry, entry + 1
	.endr

record:
	.cfi_adjust_cfa_offset 4
	pushl	%eax
	.cfi_adjust_cfa_offset 4
	pushl	%edx
	.cfi_adjust_cfa_offset 4
	pushl	%ecx
	.cfi_adjust_cfa_offset 4
	subl	$12, %esp
	.cfi_adjust_cfa_offset 12
	pushl	24(%esp)		/* the entry */
	.cfi_adjust_cfa_offset 4
	pushl	%ecx
	.cfi_adjust_cfa_offset 4
	pushl	%edx
	.cfi_adjust_cfa_offset 4
	pushl	44(%esp)		/* the signal */
	.cfi_adjust_cfa_offset 4
	call	ptl_signal_hook
	addl	$28, %esp
	.cfi_adjust_cfa_offset -28
	movl	%eax, 12(%esp)
	popl	%ecx
	.cfi_adjust_cfa_offset -4
	popl	%edx
	.cfi_adjust_cfa_offset -4
	popl	%eax
	.cfi_adjust_cfa_offset -4
	ret				/* to the handler */
	.cfi_endproc
	.size	ptl_handler_entries, . - ptl_handler_entries

#elif defined(__aarch64__)

ptl_handler_entries:
	.cfi_startproc
	.set	entry, 0
	.rept	PTL_HANDLERS
	hint	34			/* bti c */
	mov	w3, #entry
	b	record
	.p2align 4
	.set	entry, entry + 1
	.endr

record:
	stp	x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	str	x2, [sp, #32]
	bl	ptl_signal_hook
	mov	x16, x0			/* a jump through x16 may land on bti c */
	ldp	x0, x1, [sp, #16]
	ldr	x2, [sp, #32]
	ldp	x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -48
	br	x16
	.cfi_endproc
	.size	ptl_handler_entries, . - ptl_handler_entries

#endif

#include "preload/hook/marks.inc"
