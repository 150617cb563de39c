/* SPDX-License-Identifier: MIT */
/*
 * syscall(): wrapped to see seccomp(2), prctl(2), exec, and tasks that get a
 * thread pointer of their own; and, while a stream may want it, to record what
 * libc has a function for.  It is variadic, and what it calls may be vfork or
 * clone, so it is passed on by a jump, with its arguments untouched; exec goes
 * to our function of that name.
 */
#include <asm/unistd.h>

	.text
	.globl	syscall
	.type	syscall, %function
	.p2align 4

#if defined(__x86_64__)

syscall:
	.cfi_startproc
	endbr64
	cmpq	$__NR_seccomp, %rdi
	je	1f
	cmpq	$__NR_prctl, %rdi
	je	1f
	cmpq	$__NR_execve, %rdi
	je	2f
	cmpq	$__NR_execveat, %rdi
	je	3f
	cmpq	$__NR_clone, %rdi
	je	1f
	cmpq	$__NR_clone3, %rdi
	je	1f
	cmpq	$__NR_arch_prctl, %rdi
	je	1f
	movq	ptl_core_active(%rip), %rax
	cmpq	$0, (%rax)
	jne	1f
	movq	ptl_real_syscall(%rip), %rax
	testq	%rax, %rax
	je	1f			/* before the constructor */
	jmp	*%rax

1:	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	ptl_syscall_hook	/* returns the real one */
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%r9
	.cfi_adjust_cfa_offset -8
	popq	%r8
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	jmp	*%rax

2:	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	jmp	ptl_execve

3:	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %rcx
	movq	%r9, %r8
	jmp	ptl_execveat
	.cfi_endproc
	.size	syscall, . - syscall

	.hidden	ptl_execve
	.hidden	ptl_execveat

	.hidden	ptl_syscall_hook
	.hidden	ptl_real_syscall
	.hidden	ptl_core_active

#elif defined(__i386__)

/* The hook gets a copy of the arguments. */
syscall:
	.cfi_startproc
	endbr32
	cmpl	$__NR_execve, 4(%esp)
	je	2f
	cmpl	$__NR_execveat, 4(%esp)
	je	3f
	subl	$4, %esp
	.cfi_adjust_cfa_offset 4
	.rept	6
	pushl	28(%esp)
	.cfi_adjust_cfa_offset 4
	.endr
	call	ptl_syscall_hook
	addl	$28, %esp
	.cfi_adjust_cfa_offset -28
	jmp	*%eax

/* Arguments are the callee's to change. */
	.macro	SHIFT from:vararg
	.irp	at, \from
	movl	\at(%esp), %eax
	movl	%eax, \at - 4(%esp)
	.endr
	.endm

2:	SHIFT	8, 12, 16
	jmp	ptl_execve

3:	SHIFT	8, 12, 16, 20, 24
	jmp	ptl_execveat
	.cfi_endproc
	.size	syscall, . - syscall

	.hidden	ptl_execve
	.hidden	ptl_execveat
	.hidden	ptl_syscall_hook

#elif defined(__aarch64__)

syscall:
	.cfi_startproc
	hint	34			/* bti c */
	cmp	x0, #__NR_seccomp
	b.eq	1f
	cmp	x0, #__NR_prctl
	b.eq	1f
	cmp	x0, #__NR_execve
	b.eq	2f
	cmp	x0, #__NR_execveat
	b.eq	3f
	cmp	x0, #__NR_clone
	b.eq	1f
	cmp	x0, #__NR_clone3
	b.eq	1f
	adrp	x16, ptl_core_active
	ldr	x16, [x16, #:lo12:ptl_core_active]
	ldr	x16, [x16]
	cbnz	x16, 1f
	adrp	x16, ptl_real_syscall
	ldr	x16, [x16, #:lo12:ptl_real_syscall]
	cbz	x16, 1f
	br	x16

1:	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	bl	ptl_syscall_hook
	mov	x16, x0
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x29, x30, [sp], #80
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -80
	br	x16

2:	mov	x0, x1
	mov	x1, x2
	mov	x2, x3
	b	ptl_execve

3:	mov	x0, x1
	mov	x1, x2
	mov	x2, x3
	mov	x3, x4
	mov	x4, x5
	b	ptl_execveat
	.cfi_endproc
	.size	syscall, . - syscall

	.hidden	ptl_execve
	.hidden	ptl_execveat
	.hidden	ptl_syscall_hook
	.hidden	ptl_real_syscall
	.hidden	ptl_core_active

#endif

#include "preload/hook/marks.inc"
