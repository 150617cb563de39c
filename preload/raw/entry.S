/* SPDX-License-Identifier: MIT */
/*
 * Where patched system calls of a program's own lead to (core/format/patches.h):
 * %rcx is the address of the instruction in the arena, and %r11 is free, for the
 * kernel destroys both.  All else is the caller's, also below its stack pointer.
 *
 * A call that nobody wants goes back to its instruction, with the stack as it
 * was.  For others C decides on which stack to go on: goroutines have too little
 * of it.
 */
#include "preload/raw/raw.h"

	.text

#if defined(__x86_64__)

#define RED_ZONE 128

	.globl	ptl_raw_entry
	.hidden	ptl_raw_entry
	.type	ptl_raw_entry, %function
	.p2align 4
ptl_raw_entry:
	.cfi_startproc
	.cfi_undefined rip
	endbr64
	/* The flags are the caller's, too: nothing here changes them. */
	movq	ptl_raw_kinds(%rip), %r11
	movw	%ax, %r11w
	movzbl	(%r11), %r11d
	xchgq	%rcx, %r11		/* the instruction is in %r11 now */
	jrcxz	1f
	leaq	-PTL_RAW_ALWAYS(%rcx), %rcx
	jrcxz	2f
	movq	ptl_core_active(%rip), %rcx
	movq	(%rcx), %rcx
	jrcxz	1f
	jmp	2f
1:	jmp	*%r11

2:	leaq	-RED_ZONE(%rsp), %rsp
	pushfq
	.irp	register, r11, rax, r9, r8, r10, rdx, rsi, rdi, rbx
	pushq	%\register
	.endr
	cld
	movq	%rsp, %rbx
	/* The caller's frame is that of the program, and what was called from
	 * there returns to what the word says whose distance is in the four
	 * bytes before the instruction (by shifts: see stub.S). */
	.cfi_def_cfa rbx, 80 + RED_ZONE
	.cfi_offset rbx, -80 - RED_ZONE
	.cfi_escape 0x16, 16, 19, 0x73, 0xc0, 0, 0x06, 0x73, 0xc0, 0, 0x06, \
		0x34, 0x1c, 0x06, 0x08, 32, 0x24, 0x08, 32, 0x25, 0x22, 0x06
	andq	$-16, %rsp
	movq	%rbx, %rdi
	call	ptl_raw_stack
	testq	%rax, %rax
	je	3f
	movq	%rax, %rsp
	andq	$-16, %rsp
	pushq	%rdx
	pushq	%rdx
	movq	%rbx, %rdi
	call	ptl_raw_call
	popq	%rdx

3:	movq	%rbx, %rsp
	testq	%rdx, %rdx
	je	4f
	movb	$0, (%rdx)		/* off that stack */
4:	movzbl	%al, %ecx		/* was it made? */
	popq	%rbx
	.cfi_undefined rip
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%r10
	popq	%r8
	popq	%r9
	popq	%rax
	popq	%r11
	popfq
	leaq	RED_ZONE(%rsp), %rsp
	jrcxz	1b
	leaq	PTL_RAW_SIZE(%r11), %r11
	jmp	*%r11
	.cfi_endproc
	.size	ptl_raw_entry, . - ptl_raw_entry

	.hidden	ptl_core_active
	.hidden	ptl_raw_kinds
	.hidden	ptl_raw_stack
	.hidden	ptl_raw_call

#endif

#include "preload/hook/marks.inc"
