/* SPDX-License-Identifier: MIT */
/*
 * Called by the code of an arena: a patched function begins, or ends.  All
 * registers are as they were, and the flags: the caller of a function that it
 * knows relies on what that leaves alone.  The recorder uses general registers
 * only.
 *
 * To unwinders this is the function that the arena stands for: the return
 * address into the arena is passed over.
 */
#if defined(__x86_64__)

#include "preload/hook/stub.h"

#define PTL_CORE_SUMS 0xffffffff	/* core/core.h */

	.text

	.macro	PUSH register
	pushq	%\register
	.cfi_adjust_cfa_offset 8
	.endm

	.macro	POP register
	popq	%\register
	.cfi_adjust_cfa_offset -8
	.endm

/*
 * Returns if nothing traces us.  Else %rax and %rcx are pushed, and the flags are
 * in %rax.  Nothing changes them before: a loop may come to its first instruction
 * with them, and assembly returns them.
 */
	.macro	UNLESS_IDLE
	PUSH	rax
	PUSH	rcx
	movq	posix_trace_active_np@GOTPCREL(%rip), %rcx
	movq	(%rcx), %rcx
	movq	(%rcx), %rcx
	jrcxz	2f
	jmp	1f
	.cfi_remember_state
2:	POP	rcx
	POP	rax
	ret
	.cfi_restore_state
	.p2align 4
1:	lahf
	seto	%al
	.endm

/*
 * So much of the stack is there, if what is recorded takes as much as it may: if
 * not, the fault is here, where room.c knows what to do.
 */
#define ROOM 1408
#define TYPED_ROOM 2048

	.macro	TOUCH room
	movb	-\room(%rsp), %cl
	.endm

/*
 * `takes': the function's arguments are wanted, too.
 * `usual': "begin" or "end", if it can be summed up.
 * `above': bytes between our return address and the function's.
 * The mark behind our return address leads to the function's word, which is
 * negative if that is switched off (told.h).
 */
	.macro	ENTRY name, told, above, value=0, takes=0, usual, room=ROOM
	.globl	\name
	.hidden	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	.cfi_def_cfa_offset 16 + \above
	endbr64
	UNLESS_IDLE
	TOUCH	\room
	.if	\takes
	movq	(%rsp), %rcx		/* as `enter' in stub.S has them */
	movq	%rdi, (%rsp)
	PUSH	rsi
	movq	24(%rsp), %rdi		/* the mark */
	movslq	3(%rdi), %rsi
	cmpb	$0, 14(%rdi,%rsi)
	js	3f
	.cfi_remember_state
	.irp	register, rdx, rcx, r8, r9, rax, r10, r11
	PUSH	\register
	.endr
	.else
	PUSH	rax
	PUSH	rdi
	movq	32(%rsp), %rdi
	movslq	3(%rdi), %rcx
	movq	7(%rdi,%rcx), %rdi	/* the function */
	testq	%rdi, %rdi
	js	3f
	.cfi_remember_state
	.ifnb	\usual
	cmpl	$PTL_CORE_SUMS, 8 + ptl_limits(%rip)	/* its depth */
	je	5f
	.cfi_remember_state
4:
	.endif
	.irp	register, rsi, rdx, r8, r9, r10, r11
	PUSH	\register
	.endr
	.endif
	leaq	88 + \above(%rsp), %rsi
	.if	\value
	movq	72(%rsp), %rdx
	.endif
	call	\told
	.if	\takes
	.irp	register, r11, r10, rax, r9, r8, rcx, rdx, rsi
	POP	\register
	.endr
	addb	$127, %al		/* overflows if it did */
	sahf
	POP	rdi
	.else
	.irp	register, r11, r10, r9, r8, rdx, rsi, rdi, rax
	POP	\register
	.endr
	addb	$127, %al		/* overflows if it did */
	sahf
	POP	rcx
	.endif
	POP	rax
	ret
	.cfi_restore_state
3:	.if	\takes
	POP	rsi
	addb	$127, %al
	sahf
	POP	rdi
	.else
	POP	rdi
	POP	rax
	addb	$127, %al
	sahf
	POP	rcx
	.endif
	POP	rax
	ret
	/* Summed up: as a rule that needs no more registers (core/core.h). */
	.ifc	\usual, begin
	.cfi_restore_state
5:	PUSH	rsi
	PUSH	rdx
	leaq	56 + \above(%rsp), %rdx
	movq	(%rdx), %rsi
	leaq	ptl_site_code(%rip), %rcx
	subq	%rsi, %rcx
	addq	$PTL_SITES * PTL_SITE_SIZE - 1, %rcx
	xorl	%eax, %eax
	cmpq	$PTL_SITES * PTL_SITE_SIZE, %rcx
	jb	6f			/* it returns to a site */
	call	ptl_core_sum_usual_begin
6:	POP	rdx
	POP	rsi
	testb	%al, %al
	jz	4b
	jmp	3b
	.endif
	.ifc	\usual, end
	.cfi_restore_state
5:	movq	%rdi, %rcx
	leaq	40 + \above(%rsp), %rdi
	call	ptl_core_sum_usual_end
	movq	%rcx, %rdi
	testb	%al, %al
	jz	4b
	jmp	3b
	.endif
	.cfi_endproc
	.size	\name, . - \name
	.hidden	\told
	.endm

	ENTRY	ptl_entry_begin, ptl_told_begin, 0, 0, 0, begin
	ENTRY	ptl_entry_only, ptl_told_only, 0
	ENTRY	ptl_entry_end, ptl_told_end, 0, 1, 0, end
	/* The red zone. */
	ENTRY	ptl_entry_loop, ptl_told_loop, 128
	ENTRY	ptl_entry_left, ptl_told_left, 128
	ENTRY	ptl_entry_left_role, ptl_told_left_role, 128
	ENTRY	ptl_entry_begin_typed, ptl_told_begin_typed, 0, 0, 1, room=TYPED_ROOM
	ENTRY	ptl_entry_only_typed, ptl_told_only_typed, 0, 0, 1, room=TYPED_ROOM
	ENTRY	ptl_entry_loop_typed, ptl_told_loop_typed, 128, 0, 1, room=TYPED_ROOM
	ENTRY	ptl_entry_end_typed, ptl_told_end_typed, 0, 1, 1, room=TYPED_ROOM

/*
 * A probe: anything may be in any register, and in the red zone, which the arena
 * has left out.  To unwinders who called this is the program, from behind the
 * probe's operation: the address of that is in the word that the mark leads to.
 */
#define RED_ZONE 128
#define PUSHED 168			/* below the program's stack pointer */

	.globl	ptl_entry_probe
	.hidden	ptl_entry_probe
	.type	ptl_entry_probe, %function
	.p2align 4
ptl_entry_probe:
	.cfi_startproc
	endbr64
	UNLESS_IDLE
	PUSH	rax
	movq	24(%rsp), %rcx		/* the mark */
	movslq	3(%rcx), %rax
	movq	7(%rcx,%rax), %rax
	leaq	1(%rax), %rax		/* which changes no flags */
	PUSH	rax
	.cfi_def_cfa_offset PUSHED
	.cfi_offset rip, -PUSHED
	/* As instructions number them, from the end. */
	.irp	register, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp
	PUSH	\register
	.endr
	leaq	256(%rsp), %rax		/* the program's stack pointer */
	PUSH	rax
	PUSH	rbx
	PUSH	rdx
	pushq	128(%rsp)		/* %rcx */
	.cfi_adjust_cfa_offset 8
	pushq	144(%rsp)		/* %rax */
	.cfi_adjust_cfa_offset 8
	movq	160(%rsp), %rdi
	movq	%rsp, %rsi
	call	ptl_told_probe
	movq	16(%rsp), %rdx
	movq	48(%rsp), %rsi
	movq	56(%rsp), %rdi
	movq	64(%rsp), %r8
	movq	72(%rsp), %r9
	movq	80(%rsp), %r10
	movq	88(%rsp), %r11
	leaq	136(%rsp), %rsp
	/* libgcc takes .cfi_restore for "has no rule". */
	.cfi_offset rip, -8
	.cfi_def_cfa_offset 32
	POP	rax
	addb	$127, %al		/* overflows if it did */
	sahf
	POP	rcx
	POP	rax
	ret
	.cfi_endproc
	.size	ptl_entry_probe, . - ptl_entry_probe
	.hidden	ptl_told_probe

	.globl	ptl_entry_none
	.hidden	ptl_entry_none
	.type	ptl_entry_none, %function
	.p2align 4
ptl_entry_none:
	.cfi_startproc
	endbr64
	ret
	.cfi_endproc
	.size	ptl_entry_none, . - ptl_entry_none

#elif defined(__aarch64__)

	.text

/*
 * The code of the arena has pushed x0, and the link register of the program.
 * They are made into what `enter' in stub.S has on the stack, which told_typed.c
 * reads, with a frame for who follows frame pointers, its return address not
 * signed.  Below that is where in the arena to return to, and the flags.
 *
 * To unwinders this is at first called by the arena, whose rules know of each
 * function whether it has signed its return address; then, with that frame, it is
 * the function that the arena stands for.
 *
 * The function's word, to which the mark leads, is negative if that is switched
 * off (told.h).
 * `takes': the function's arguments are wanted, too; what is told has the mark.
 */
	.macro	ENTRY name, told, value=0, takes=0
	.globl	\name
	.hidden	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	hint	34			/* bti c */
	adrp	x0, :got:posix_trace_active_np
	ldr	x0, [x0, #:got_lo12:posix_trace_active_np]
	ldr	x0, [x0]
	ldr	x0, [x0]
	cbnz	x0, 1f
	ret
1:	stp	x29, x30, [sp, #-160]!
	.cfi_def_cfa_offset 160
	.cfi_offset x29, -160
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	str	x18, [sp, #144]
	mov	x29, sp
	.cfi_def_cfa_register x29
	mov	x2, x30
	.cfi_register x30, x2
	mrs	x3, nzcv
	stp	x2, x3, [sp, #-16]!
	ldr	x30, [x29, #168]
	str	x30, [x29, #152]	/* as it is */
	hint	7			/* xpaclri */
	str	x30, [x29, #8]
	.cfi_def_cfa x29, 176
	.cfi_offset x29, -176
	.cfi_offset x30, -168
	str	x1, [x29, #168]
	ldursw	x0, [x2, #-20]		/* PTL_PATCH_A64_MARK ... */
	add	x0, x0, x2
	ldur	x0, [x0, #-16]		/* ... and _MARK_END */
	tbnz	x0, #63, 2f
	.if	\takes
	mov	x0, x2
	.endif
	add	x1, x29, #8
	.if	\value
	ldr	x2, [x29, #160]
	.endif
	bl	\told
2:	ldp	x2, x3, [sp], #16
	msr	nzcv, x3
	ldr	x1, [x29, #168]
	ldr	x30, [x29, #152]
	str	x30, [x29, #168]
	.cfi_def_cfa x29, 160
	.cfi_offset x29, -160
	.cfi_register x30, x2
	mov	x30, x2
	.cfi_restore x30
	ldr	x18, [sp, #144]
	ldp	x16, x17, [sp, #128]
	ldp	x14, x15, [sp, #112]
	ldp	x12, x13, [sp, #96]
	ldp	x10, x11, [sp, #80]
	ldp	x8, x9, [sp, #64]
	ldp	x6, x7, [sp, #48]
	ldp	x4, x5, [sp, #32]
	ldp	x2, x3, [sp, #16]
	ldr	x29, [sp], #160
	.cfi_restore x29
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size	\name, . - \name
	.hidden	\told
	.endm

	ENTRY	ptl_entry_begin, ptl_told_begin
	ENTRY	ptl_entry_loop, ptl_told_loop
	ENTRY	ptl_entry_only, ptl_told_only
	ENTRY	ptl_entry_end, ptl_told_end, 1
	ENTRY	ptl_entry_left, ptl_told_left
	ENTRY	ptl_entry_left_role, ptl_told_left_role
	ENTRY	ptl_entry_begin_typed, ptl_told_begin_typed, 0, 1
	ENTRY	ptl_entry_only_typed, ptl_told_only_typed, 0, 1
	ENTRY	ptl_entry_loop_typed, ptl_told_loop_typed, 0, 1
	ENTRY	ptl_entry_end_typed, ptl_told_end_typed, 1, 1

/* For this processor no probes are patched. */
	.irp	name, ptl_entry_none, ptl_entry_probe
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
	hint	34
	ret
	.size	\name, . - \name
	.endr

#else

/* For a program of 32 bits no patches are made. */
	.text
	.irp	name, ptl_entry_begin, ptl_entry_loop, ptl_entry_only, \
		ptl_entry_end, ptl_entry_left, ptl_entry_left_role, \
		ptl_entry_none, \
		ptl_entry_begin_typed, ptl_entry_only_typed, \
		ptl_entry_loop_typed, ptl_entry_end_typed, ptl_entry_probe
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
	ret
	.size	\name, . - \name
	.endr

#endif

#include "preload/hook/marks.inc"
