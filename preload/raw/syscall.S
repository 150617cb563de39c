/* SPDX-License-Identifier: MIT */
/*
 * A system call, made below a stack pointer that is given: that of the program,
 * so that handlers of signals find themselves there.
 */
	.text

#if defined(__x86_64__)

	.globl	ptl_raw_syscall
	.hidden	ptl_raw_syscall
	.type	ptl_raw_syscall, %function
	.p2align 4
ptl_raw_syscall:
	.cfi_startproc
	endbr64
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset rbx, 0
	movq	%rsp, %rbx
	.cfi_def_cfa_register rbx
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	16(%rbx), %r9
	movq	24(%rbx), %rcx
	testq	%rcx, %rcx
	cmovneq	%rcx, %rsp
	syscall
	movq	%rbx, %rsp
	popq	%rbx
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size	ptl_raw_syscall, . - ptl_raw_syscall

#endif

#include "preload/hook/marks.inc"
