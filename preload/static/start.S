/* SPDX-License-Identifier: MIT */
/*
 * Where a static program begins that was given this program (tools/reach): %r8
 * is the open file of this, of which %r12 bytes are mapped, %r13 where the
 * program itself begins, %r15 what ptl_static_begin() is to know, and the stack
 * what the kernel made.  The program gets
 * its registers as from the kernel: all 0.
 */
	.text

#if defined(__x86_64__)

	.globl	ptl_static_start
	.hidden	ptl_static_start
	.type	ptl_static_start, %function
ptl_static_start:
	.cfi_startproc
	.cfi_undefined rip
	endbr64
	movq	%rsp, %rbx
	movl	%r8d, %edi
	leaq	__ehdr_start(%rip), %rsi
	movq	%r12, %rdx
	andq	$-16, %rsp
	call	ptl_static_load
	testb	%al, %al
	je	1f
	movq	%rbx, %rdi
	movl	%r15d, %esi
	call	ptl_static_begin
1:	movq	%rbx, %rsp
	movq	%r13, %rcx
	xorl	%eax, %eax
	xorl	%ebx, %ebx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	xorl	%ebp, %ebp
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r11d, %r11d
	xorl	%r12d, %r12d
	xorl	%r13d, %r13d
	xorl	%r14d, %r14d
	xorl	%r15d, %r15d
	jmp	*%rcx
	.cfi_endproc
	.size	ptl_static_start, . - ptl_static_start

#endif

#include "preload/hook/marks.inc"
