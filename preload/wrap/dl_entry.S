/* SPDX-License-Identifier: MIT */
/*
 * These functions look at their caller: its object says where to search, and
 * what RTLD_NEXT means.  So libc's are reached by a jump, with our caller's
 * return address on top; before that the hook says whether to jump to libc's
 * function or to one of ours in C.
 *
 * A function whose return is to be recorded may have jumped here as its last
 * act: then a site (site.h) is on top.  The site's own return address replaces
 * it, and that return is not recorded.
 */
#include "preload/hook/stub.h"

	/* One section, which preload/first puts where the constructor is. */
	.section .text.dlsym, "ax", %progbits

#if defined(__x86_64__)

/* The hook gets the arguments and, after them, our return address. */
	.macro jump name, caller
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	endbr64
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	movq	24(%rsp), %rcx
	leaq	ptl_site_code(%rip), %rax
	subq	%rax, %rcx
	cmpq	$PTL_SITES * PTL_SITE_SIZE, %rcx
	jae	1f
	andq	$-PTL_SITE_SIZE, %rcx
	leaq	ptl_site(%rip), %rax
	movq	(%rax, %rcx, PTL_SITE_INFO / PTL_SITE_SIZE), %rax /* ret */
	movq	%rax, 24(%rsp)
1:	movq	24(%rsp), %\caller
	call	ptl_\name\()_hook	/* returns where to go */
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	jmp	*%rax
	.cfi_endproc
	.size	\name, . - \name
	.hidden	ptl_\name\()_hook
	.endm

	jump	dlopen, rdx
	jump	dlmopen, rcx
	jump	dlsym, rdx
	jump	dlvsym, rcx

#elif defined(__i386__)

/* Of so many arguments, of which the hook gets a copy.  There are no sites. */
	.macro jump name, nr, room
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	endbr32
	subl	$\room, %esp
	.cfi_adjust_cfa_offset \room
	pushl	\room(%esp)		/* our return address */
	.cfi_adjust_cfa_offset 4
	.rept	\nr
	pushl	4 * \nr + \room + 4(%esp)
	.cfi_adjust_cfa_offset 4
	.endr
	call	ptl_\name\()_hook
	addl	$4 * \nr + \room + 4, %esp
	.cfi_adjust_cfa_offset -(4 * \nr + \room + 4)
	jmp	*%eax
	.cfi_endproc
	.size	\name, . - \name
	.hidden	ptl_\name\()_hook
	.endm

	jump	dlopen, 2, 0
	jump	dlmopen, 3, 12
	jump	dlsym, 2, 0
	jump	dlvsym, 3, 12

#elif defined(__aarch64__)

	.macro jump name, caller
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	hint	34			/* bti c */
	adrp	x16, ptl_site_code
	add	x16, x16, #:lo12:ptl_site_code
	sub	x16, x30, x16
	cmp	x16, #PTL_SITES * PTL_SITE_SIZE
	b.hs	1f
	and	x16, x16, #-PTL_SITE_SIZE
	adrp	x17, ptl_site
	add	x17, x17, #:lo12:ptl_site
	ldr	x30, [x17, x16]		/* PTL_SITE_INFO is PTL_SITE_SIZE */
1:	stp	x29, x30, [sp, #-48]!
	.cfi_adjust_cfa_offset 48
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	str	x2, [sp, #32]
	mov	\caller, x30
	bl	ptl_\name\()_hook
	mov	x16, x0			/* a jump through x16 may land on bti c */
	ldp	x0, x1, [sp, #16]
	ldr	x2, [sp, #32]
	ldp	x29, x30, [sp], #48
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -48
	br	x16
	.cfi_endproc
	.size	\name, . - \name
	.hidden	ptl_\name\()_hook
	.endm

	jump	dlopen, x2
	jump	dlmopen, x3
	jump	dlsym, x2
	jump	dlvsym, x3

#endif

	.hidden	ptl_site
	.hidden	ptl_site_code

#include "preload/hook/marks.inc"
