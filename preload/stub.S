/* SPDX-License-Identifier: MIT */
/*
 * Stubs: what hooked slots lead to (stub.h).  A stub records the call and jumps
 * to the function, with all registers, but the one that linkage may use anyway,
 * and the stack as the caller left them.  Nothing of ours is on the stack then,
 * so whatever the function does to it, or however it is left, does not matter.
 *
 * The recorder keeps to general registers, but for one event in some thousands,
 * for which the others are saved.
 */
#include "preload/stub.h"

#if defined(__x86_64__)

/* Those of XSAVE's components that are not privileged and not huge: x87, SSE,
 * AVX and the three of AVX-512; and room for them. */
#define XSAVE_MASK 0xe7
#define XSAVE_SIZE 2752

	.section .text.stubs, "ax", %progbits
	.globl	ptl_stub_code
	.hidden	ptl_stub_code
	.type	ptl_stub_code, %function
	.p2align 4
ptl_stub_code:
	.cfi_startproc
	.rept	PTL_STUBS
	endbr64
	call	enter
	jmp	*%r11
	.p2align 4
	.endr
	.cfi_endproc
	.size	ptl_stub_code, . - ptl_stub_code

	.text

/* Does any stream trace us?  Clobbers rax. */
	.macro	TEST_ACTIVE
	movq	posix_trace_active_np@GOTPCREL(%rip), %rax
	movq	(%rax), %rax
	cmpq	$0, (%rax)
	.endm

	.macro	SAVE registers:vararg
	.irp	register, \registers
	pushq	%\register
	.cfi_adjust_cfa_offset 8
	.endr
	.endm

	.macro	RESTORE registers:vararg
	.irp	register, \registers
	popq	%\register
	.cfi_adjust_cfa_offset -8
	.endr
	.endm

/*
 * Called by a stub, whose address is on top; below is where its caller wants
 * the function to return.  To an unwinder it stands in the stub's place.
 */
	.type	enter, %function
	.p2align 4
enter:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	SAVE	rax
	TEST_ACTIVE
	jne	1f
	movq	8(%rsp), %r11
	leaq	ptl_stub_code(%rip), %rax
	subq	%rax, %r11
	andq	$-PTL_STUB_SIZE, %r11
	leaq	ptl_stub(%rip), %rax
	movq	PTL_STUB_REAL(%rax, %r11, PTL_STUB_INFO / PTL_STUB_SIZE), %r11
	popq	%rax
	ret
	.p2align 4
1:	SAVE	rdi, rsi, rdx, rcx, r8, r9, r10
	movq	64(%rsp), %rdi
	leaq	72(%rsp), %rsi
	call	ptl_call_enter
	movq	%rdx, %r11
	testq	%rax, %rax
	jne	3f
2:	RESTORE	r10, r9, r8, rcx, rdx, rsi, rdi, rax
	ret
	.cfi_adjust_cfa_offset 64
3:	movq	64(%rsp), %rdi
	leaq	72(%rsp), %rsi
	leaq	ptl_call_enter_long(%rip), %r11
	call	with_vectors
	movq	%rax, %r11
	jmp	2b
	.cfi_endproc
	.size	enter, . - enter

/* Calls r11 and keeps what is in other registers than the general ones. */
	.type	with_vectors, %function
with_vectors:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	cmpb	$0, ptl_stub_xsave(%rip)
	je	1f
	subq	$XSAVE_SIZE, %rsp
	andq	$-64, %rsp
	xorl	%edx, %edx
	.irp	word, 0, 1, 2, 3, 4, 5, 6, 7
	movq	%rdx, 512 + 8 * \word(%rsp)
	.endr
	movl	$XSAVE_MASK, %eax
	xsave	(%rsp)
	call	*%r11
	movq	%rax, %r11
	xorl	%edx, %edx
	movl	$XSAVE_MASK, %eax
	xrstor	(%rsp)
	jmp	2f
1:	subq	$512, %rsp
	andq	$-64, %rsp
	fxsave	(%rsp)
	call	*%r11
	fxrstor	(%rsp)
	movq	%rax, %r11
2:	movq	%r11, %rax
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	with_vectors, . - with_vectors

/*
 * Sites (site.h).  The return address that the caller left is in the table,
 * too; ours takes its place by the call.  In the end that is put back and
 * returned to: processors that predict where calls return to are right about
 * both.  With a shadow stack that cannot be done, and returns are not recorded.
 *
 * The last word of each leads an unwinder to the table.  It sees the site as a
 * frame of no size between the function's and the caller's, marked as that of a
 * signal: since both have one stack pointer, unwinders could not tell them
 * apart else.  Who is below a signal's frame was interrupted where it says, so
 * it says: within the call, one byte before its return.
 */
#define BLOCK_OFFSET 0x80, 0, 0x4f, 0x1a	/* rip & 31 */
#define BLOCK_WORD 0x80, 0, 0x09, 0xe0, 0x1a, 0x23, 24 /* (rip & -32) + 24 */

	.section .text.stubs, "ax", %progbits
	.globl	ptl_site_code
	.hidden	ptl_site_code
	.type	ptl_site_code, %function
	.p2align 5
ptl_site_code:
	.cfi_startproc
	.cfi_signal_frame
	/* CFA = rsp + 8 * ((5 >= offset) + (offset >= 23)) */
	.cfi_escape 0x0f, 18, 0x77, 0, 0x35, BLOCK_OFFSET, 0x2a, \
		BLOCK_OFFSET, 0x47, 0x2a, 0x22, 0x33, 0x24, 0x22
	/* rip = *(word + *word) - 1 */
	.cfi_escape 0x16, 16, 19, BLOCK_WORD, BLOCK_WORD, 0x06, 0x22, 0x06, \
		0x31, 0x1c
	.set	site, ptl_site
	.rept	PTL_SITES
	endbr64				/* offset 0 */
	popq	%r11			/* 4: the caller's, in the table, too */
	call	*site + 8(%rip)		/* 6: of struct ptl_site, target */
	call	leave			/* 12 */
	pushq	site(%rip)		/* 17: ret */
	ret				/* 23 */
	.quad	site - .		/* 24 */
	.set	site, site + PTL_SITE_INFO
	.endr
	.cfi_endproc
	.size	ptl_site_code, . - ptl_site_code

	.text

	.type	leave, %function
	.p2align 4
leave:
	.cfi_startproc
	SAVE	rax
	TEST_ACTIVE
	jne	1f
	popq	%rax
	.cfi_remember_state
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_restore_state
	.p2align 4
1:	SAVE	rdi, rsi, rdx, rcx, r8, r9, r10, r11
	movq	72(%rsp), %rdi
	movq	64(%rsp), %rsi
	call	ptl_call_leave
	testq	%rax, %rax
	jne	3f
2:	RESTORE	r11, r10, r9, r8, rcx, rdx, rsi, rdi, rax
	ret
	.cfi_adjust_cfa_offset 72
3:	movq	72(%rsp), %rdi
	movq	64(%rsp), %rsi
	leaq	ptl_call_leave_long(%rip), %r11
	call	with_vectors
	jmp	2b
	.cfi_endproc
	.size	leave, . - leave

	.hidden	ptl_call_enter
	.hidden	ptl_call_enter_long
	.hidden	ptl_call_leave
	.hidden	ptl_call_leave_long
	.hidden	ptl_site
	.hidden	ptl_stub
	.hidden	ptl_stub_xsave

#elif defined(__aarch64__)

	.section .text.stubs, "ax", %progbits
	.globl	ptl_stub_code
	.hidden	ptl_stub_code
	.type	ptl_stub_code, %function
	.p2align 4
ptl_stub_code:
	.cfi_startproc
	.rept	PTL_STUBS
	hint	34			/* bti c */
	adr	x17, .
	b	enter
	nop
	.endr
	.cfi_endproc
	.size	ptl_stub_code, . - ptl_stub_code

	.globl	ptl_site_code
	.hidden	ptl_site_code
ptl_site_code:
	.fill	PTL_SITE_SIZE / 4, 4, 0
	.text

/* x17: an address in the stub.  x16 may be the slot's, for the loader. */
	.type	enter, %function
	.p2align 4
enter:
	.cfi_startproc
	stp	x0, x1, [sp, #-16]!
	.cfi_def_cfa_offset 16
	adrp	x0, :got:posix_trace_active_np
	ldr	x0, [x0, #:got_lo12:posix_trace_active_np]
	ldr	x0, [x0]
	ldr	x0, [x0]
	cbnz	x0, 1f
	adrp	x0, ptl_stub_code
	add	x0, x0, #:lo12:ptl_stub_code
	sub	x17, x17, x0
	and	x17, x17, #-PTL_STUB_SIZE
	adrp	x0, ptl_stub
	add	x0, x0, #:lo12:ptl_stub
	add	x0, x0, x17, lsl #2	/* PTL_STUB_INFO / PTL_STUB_SIZE */
	ldr	x17, [x0, #PTL_STUB_REAL]
	ldp	x0, x1, [sp], #16
	.cfi_def_cfa_offset 0
	br	x17			/* may land on bti c */
	.cfi_def_cfa_offset 16
1:	stp	x29, x30, [sp, #-160]!
	.cfi_def_cfa_offset 176
	.cfi_offset x29, -176
	.cfi_offset x30, -168
	mov	x29, sp
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	str	x18, [sp, #144]
	mov	x0, x17
	add	x1, sp, #8
	bl	ptl_call_enter
	mov	x17, x1
	cbnz	x0, 3f
2:	ldr	x18, [sp, #144]
	ldr	x16, [sp, #128]
	ldp	x14, x15, [sp, #112]
	ldp	x12, x13, [sp, #96]
	ldp	x10, x11, [sp, #80]
	ldp	x8, x9, [sp, #64]
	ldp	x6, x7, [sp, #48]
	ldp	x4, x5, [sp, #32]
	ldp	x2, x3, [sp, #16]
	ldp	x29, x30, [sp], #160
	.cfi_remember_state
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 16
	ldp	x0, x1, [sp], #16
	.cfi_def_cfa_offset 0
	br	x17
	.cfi_restore_state
/* The arguments in vector registers, of the standard way to call. */
3:	stp	q0, q1, [sp, #-128]!
	stp	q2, q3, [sp, #32]
	stp	q4, q5, [sp, #64]
	stp	q6, q7, [sp, #96]
	.cfi_adjust_cfa_offset 128
	ldr	x0, [x29, #136]
	add	x1, x29, #8
	bl	ptl_call_enter_long
	mov	x17, x0
	ldp	q2, q3, [sp, #32]
	ldp	q4, q5, [sp, #64]
	ldp	q6, q7, [sp, #96]
	ldp	q0, q1, [sp], #128
	.cfi_adjust_cfa_offset -128
	b	2b
	.cfi_endproc
	.size	enter, . - enter

	.hidden	ptl_call_enter
	.hidden	ptl_call_enter_long
	.hidden	ptl_stub

#endif

#include "preload/marks.inc"
