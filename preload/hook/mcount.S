/* SPDX-License-Identifier: MIT */
/*
 * mcount() and __fentry__(), called inside a function (-pg) or as its first
 * instruction (-mfentry), where any register may hold an argument: all but r11
 * are preserved.  The recorder uses general registers only, so no others are
 * saved.
 *
 * In the end they jump to the functions of libc, the profiler of gprof, which
 * find everything as the function left it.
 */
#if defined(__x86_64__)

	.text

/* `where' holds the return address of the function. */
	.macro	HOOK name, real, where:vararg
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	endbr64
	cmpq	$0, \real(%rip)
	je	3f			/* before the constructor */
	movq	posix_trace_active_np@GOTPCREL(%rip), %r11
	movq	(%r11), %r11
	cmpq	$0, (%r11)
	jne	1f
2:	jmp	*\real(%rip)
1:	movq	\where, %r11
	call	record
	jmp	2b
3:	ret
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.globl	_mcount
	.globl	mcount
	.globl	__fentry__
	.set	mcount, _mcount
	HOOK	_mcount, ptl_real_mcount, 8(%rbp)
	HOOK	__fentry__, ptl_real_fentry, 8(%rsp)

	.type	record, %function
	.p2align 4
record:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	andq	$-16, %rsp
	cld
	movl	ptl_mcount_id(%rip), %edi
	leaq	16(%rbp), %rsi		/* an address in the function */
	movl	$8, %edx
	movq	%r11, %rcx
	call	ptl_core_event
	movq	-8(%rbp), %rax
	movq	-16(%rbp), %rcx
	movq	-24(%rbp), %rdx
	movq	-32(%rbp), %rsi
	movq	-40(%rbp), %rdi
	movq	-48(%rbp), %r8
	movq	-56(%rbp), %r9
	movq	-64(%rbp), %r10
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	record, . - record

	.hidden	ptl_core_event
	.hidden	ptl_mcount_id
	.hidden	ptl_real_fentry
	.hidden	ptl_real_mcount

#elif defined(__aarch64__)

/* Here _mcount() is an ordinary function (instrument.c); but the marks of this
 * file are still needed: without them the library as a whole would lose its
 * own. */

#endif

#include "preload/hook/marks.inc"
