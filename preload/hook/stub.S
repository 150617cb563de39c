/* SPDX-License-Identifier: MIT */
/*
 * Stubs, to which hooked slots lead (stub.h).  A stub records the call and
 * jumps to the function, with the stack and all registers as the caller left
 * them, except, on aarch64, x17, which holds where a slot leads.  Others may be
 * what a procedure linkage table hands to its resolver: its entry's number (r11,
 * by mold), or the slot (x16).  Nothing of ours is on the stack then, so it does
 * not matter what the function does to the stack, or how it is left.
 *
 * The recorder uses general registers only, so no others are saved.
 */
#include "preload/hook/stub.h"

/* Begins code that is found by number, with each piece aligned to `align'. */
	.macro	CODE name, align
	.section .text.stubs, "ax", %progbits
	.globl	\name
	.hidden	\name
	.type	\name, %function
	.p2align \align
\name:
	.cfi_startproc
	.endm

	.macro	FUNCTION name
	.text
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, . - \name
	.endm

#if defined(__x86_64__)

/*
 * A stub pushes where it is in ptl_stub, as the entries of a procedure linkage
 * table do, for which unwinders have this rule, too.
 */
	CODE	ptl_stub_code, 4
	/* CFA = rsp + 8 + 8 * ((rip & 15) >= 9) */
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x39, 0x2a, 0x33, \
		0x24, 0x22
	.set	at, 0
	.rept	PTL_STUBS
	endbr64				/* offset 0 */
	.byte	0x68			/* 4: pushq $at, of five bytes */
	.long	at
	jmp	enter			/* 9 */
	.p2align 4
	.set	at, at + PTL_STUB_INFO
	.endr
	END	ptl_stub_code

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
 * A stub's number in bytes is on top; below is the return address of the stub's
 * caller.  In place of the number comes where to go on: no register is free to
 * hold it.
 */
	FUNCTION enter
	.cfi_def_cfa_offset 16
	SAVE	rax
	TEST_ACTIVE
	jne	1f
	movq	8(%rsp), %rax
	addq	ptl_stub@GOTPCREL(%rip), %rax
	movq	PTL_STUB_REAL(%rax), %rax
	movq	%rax, 8(%rsp)
	.cfi_remember_state
	RESTORE	rax
	leaq	8(%rsp), %rsp
	.cfi_adjust_cfa_offset -8
	jmp	*-8(%rsp)		/* handlers leave that alone */
	.cfi_restore_state
	.p2align 4
1:	SAVE	rdi, rsi, rdx, rcx, r8, r9, r10
	leaq	ptl_stub(%rip), %rdi
	addq	64(%rsp), %rdi
	movq	%r11, 64(%rsp)
	leaq	72(%rsp), %rsi
	call	ptl_call_enter
	movq	64(%rsp), %r11
	movq	%rax, 64(%rsp)
	RESTORE	r10, r9, r8, rcx, rdx, rsi, rdi, rax
	leaq	8(%rsp), %rsp
	.cfi_adjust_cfa_offset -8
	jmp	*-8(%rsp)
	END	enter

/*
 * Sites (site.h).  A site takes the caller's return address, which is in the
 * table, too, from the stack, and calls the function; after that it pushes the
 * address again and returns to it: so processors predict both returns
 * correctly.  With a shadow stack this is impossible, and returns are not
 * recorded.
 *
 * The last word of each site leads an unwinder to the table.  The unwinder sees
 * the site as a frame without size between the function's and the caller's,
 * marked as the frame of a signal: since both have the same stack pointer, it
 * could not distinguish them otherwise.  The caller of a signal's frame is
 * taken to be interrupted at the address given, so the rule gives an address
 * within the call, one byte before its return address.
 */
#define BLOCK_OFFSET 0x80, 0, 0x4f, 0x1a	/* rip & 31 */
#define BLOCK_WORD 0x80, 0, 0x09, 0xe0, 0x1a, 0x23, 28 /* (rip & -32) + 28 */

	CODE	ptl_site_code, 5
	.cfi_signal_frame
	/* CFA = rsp + 8 * ((7 >= offset) + (offset >= 25)) */
	.cfi_escape 0x0f, 18, 0x77, 0, 0x37, BLOCK_OFFSET, 0x2a, \
		BLOCK_OFFSET, 0x49, 0x2a, 0x22, 0x33, 0x24, 0x22
	/* rip = *(word + *word) - 1; of the eight bytes there the first four
	 * are taken by shifts, since valgrind does not know DW_OP_deref_size,
	 * and says so on the program's stderr. */
	.cfi_escape 0x16, 16, 25, BLOCK_WORD, BLOCK_WORD, 0x06, 0x08, 32, \
		0x24, 0x08, 32, 0x25, 0x22, 0x06, 0x31, 0x1c
	.set	at, 0
	.rept	PTL_SITES
	endbr64				/* offset 0 */
	addq	$8, %rsp		/* 4: the caller's is in the table, too */
	call	*ptl_site + at + 8(%rip) /* 8: the target in struct ptl_return_site */
	call	leave			/* 14 */
	pushq	ptl_site + at(%rip)	/* 19: ret */
	ret				/* 25 */
	.p2align 2
	.long	ptl_site + at - .	/* 28 */
	.set	at, at + PTL_SITE_INFO
	.endr
	END	ptl_site_code

	FUNCTION leave
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
	leaq	72(%rsp), %rdx
	call	ptl_call_leave
	RESTORE	r11, r10, r9, r8, rcx, rdx, rsi, rdi, rax
	ret
	END	leave

	.hidden	ptl_call_enter
	.hidden	ptl_call_leave
	.hidden	ptl_site
	.hidden	ptl_stub

#elif defined(__aarch64__)

	CODE	ptl_stub_code, 4
	.rept	PTL_STUBS
	hint	34			/* bti c */
	adr	x17, .
	b	enter
	nop
	.endr
	END	ptl_stub_code

/* Jumps to the label if a stream traces us.  Clobbers x0. */
	.macro	IF_ACTIVE label
	adrp	x0, :got:posix_trace_active_np
	ldr	x0, [x0, #:got_lo12:posix_trace_active_np]
	ldr	x0, [x0]
	ldr	x0, [x0]
	cbnz	x0, \label
	.endm

/* Sets `to' to the offset from `code' of the piece that an address is in.
 * Clobbers x0 besides. */
	.macro	PIECE to, address, code, size
	adrp	x0, \code
	add	x0, x0, #:lo12:\code
	sub	\to, \address, x0
	and	\to, \to, #-\size
	.endm

/* Saved below x0 and x1, which are on the stack; x29 points to them. */
	.macro	SAVE_GENERAL
	stp	x29, x30, [sp, #-160]!
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
	.endm

/* All except x17. */
	.macro	RESTORE_GENERAL
	ldr	x18, [sp, #144]
	ldr	x16, [sp, #128]
	ldp	x14, x15, [sp, #112]
	ldp	x12, x13, [sp, #96]
	ldp	x10, x11, [sp, #80]
	ldp	x8, x9, [sp, #64]
	ldp	x6, x7, [sp, #48]
	ldp	x4, x5, [sp, #32]
	ldp	x2, x3, [sp, #16]
	ldp	x29, x30, [sp], #160
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 16
	.endm

/* x17: an address in the stub. x16 may be the slot's address, for the loader.
 */
	FUNCTION enter
	stp	x0, x1, [sp, #-16]!
	.cfi_def_cfa_offset 16
	IF_ACTIVE 1f
	PIECE	x17, x17, ptl_stub_code, PTL_STUB_SIZE
	adrp	x0, ptl_stub
	add	x0, x0, #:lo12:ptl_stub
	add	x0, x0, x17, lsl #2	/* PTL_STUB_INFO / PTL_STUB_SIZE */
	ldr	x17, [x0, #PTL_STUB_REAL]
	ldp	x0, x1, [sp], #16
	.cfi_def_cfa_offset 0
	br	x17			/* may land on bti c */
	.cfi_def_cfa_offset 16
1:	SAVE_GENERAL
	PIECE	x17, x17, ptl_stub_code, PTL_STUB_SIZE
	adrp	x0, ptl_stub
	add	x0, x0, #:lo12:ptl_stub
	add	x0, x0, x17, lsl #2
	add	x1, sp, #8
	bl	ptl_call_enter
	mov	x17, x0
	RESTORE_GENERAL
	ldp	x0, x1, [sp], #16
	.cfi_def_cfa_offset 0
	br	x17
	END	enter

/*
 * Sites (site.h).  The caller's return address is in the table.  The function
 * finds the site's address in the link register, and if it signs that, it signs
 * ours.  Here, too, calls and returns are in pairs, for processors that predict
 * or check them.
 *
 * The last words of each site lead an unwinder to the table, by the link
 * register if that points into a site; if not, a handler has interrupted the
 * site before the call or after its end.  As above the site is marked as the
 * frame of a signal, and the return address is one byte less.  (A signed
 * address is stripped by taking the lower 48 bits.)
 */
#define SITE_MAGIC 0x70746c73 /* and in BLOCK_IS_SITE, byte by byte */
#define BLOCK 0x8e, 0, 0x0e, 0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0x1a
#define BLOCK_IS_SITE 0x12, 0x23, 28, 0x94, 4, \
	0x0c, 0x73, 0x6c, 0x74, 0x70, 0x29
#define BLOCK_RETURN 0x23, 24, 0x12, 0x94, 4, 0x22, 0x06

	CODE	ptl_site_code, 5
	.cfi_signal_frame
	/* x30 = (is a site's ? *(word + *word) : x30) - 1 */
	.cfi_escape 0x16, 30, 41, BLOCK, BLOCK_IS_SITE, 0x28, 6, 0, \
		0x13, 0x8e, 0, 0x2f, 7, 0, BLOCK_RETURN, 0x31, 0x1c
	.set	at, 0
	.rept	PTL_SITES
	hint	34			/* bti c */
	adrp	x17, ptl_site + at + 8	/* the target in struct ptl_return_site */
	ldr	x17, [x17, #:lo12:ptl_site + at + 8]
	blr	x17
	bl	leave
	ret
	.word	ptl_site + at - .	/* offset 24 */
	.word	SITE_MAGIC
	.set	at, at + PTL_SITE_INFO
	.endr
	END	ptl_site_code

/* x30: returns into the site; then where the site returns to. */
	FUNCTION leave
	stp	x0, x1, [sp, #-16]!
	.cfi_def_cfa_offset 16
	IF_ACTIVE 1f
2:	mov	x17, x30
	.cfi_register x30, x17
	PIECE	x0, x17, ptl_site_code, PTL_SITE_SIZE
	adrp	x1, ptl_site
	add	x1, x1, #:lo12:ptl_site
	ldr	x30, [x1, x0]		/* PTL_SITE_INFO is PTL_SITE_SIZE */
	ldp	x0, x1, [sp], #16
	.cfi_def_cfa_offset 0
	ret	x17
	.cfi_restore x30
	.cfi_def_cfa_offset 16
1:	SAVE_GENERAL
	mov	x0, x30
	ldr	x1, [x29, #160]
	add	x2, x29, #176
	bl	ptl_call_leave
	RESTORE_GENERAL
	b	2b
	END	leave

	.hidden	ptl_call_enter
	.hidden	ptl_call_leave
	.hidden	ptl_site
	.hidden	ptl_stub

#else

/* No calls are hooked here; but addresses are compared with these. */
	.local	ptl_stub_none, ptl_site_none
	.comm	ptl_stub_none, PTL_STUBS * PTL_STUB_SIZE, 4096
	.comm	ptl_site_none, PTL_SITES * PTL_SITE_SIZE, 4096
	.globl	ptl_stub_code, ptl_site_code
	.hidden	ptl_stub_code, ptl_site_code
	.set	ptl_stub_code, ptl_stub_none
	.set	ptl_site_code, ptl_site_none

#endif

#include "preload/hook/marks.inc"
