/* SPDX-License-Identifier: MIT */
/*
 * The names that programs ask for where libc has several versions of a function
 * (preload/calls/versions).  Each is a jump to the wrapper of that version; what
 * most programs ask for is the wrapper itself, by the linker's script.
 *
 * Where we have a version, too, the loader gives it to those that ask for it,
 * and what we have none of is found in libc: so a version that is newer than
 * the table is not wrapped, and not disturbed.
 */
#if defined(__x86_64__)

	.macro	BEGIN name
	.section .text.versions, "ax", %progbits
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	endbr64
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, . - \name
	.endm

/* is: old or now. */
	.macro	VERSION is, name, version
	BEGIN	ptl_\name\()_\version
	.ifc	\is, old
	.hidden	ptl_old_\name
	jmp	ptl_old_\name
	.else
	jmp	\name@PLT
	.endif
	END	ptl_\name\()_\version
	.symver	ptl_\name\()_\version, \name@\version
	.endm

/*
 * What asks for no version gets the first that libc had; but not if it was
 * linked with us when our functions had none, for it meant those of its time.
 * The loader gives it what has the second number of our versions, which must be
 * that of the API.
 */
	.macro	UNVERSIONED name
	BEGIN	ptl_\name\()_any
	call	is_linked
	testb	%al, %al
	jne	\name@PLT
	jmp	ptl_old_\name
	END	ptl_\name\()_any
	.symver	ptl_\name\()_any, \name@PTRACE_0.1
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

/* Keeps the arguments. */
	.section .text.versions, "ax", %progbits
	.type	is_linked, %function
	.p2align 4
is_linked:
	.cfi_startproc
	SAVE	rdi, rsi, rdx, rcx, r8, r9
	movq	56(%rsp), %rdi		/* the caller of the function */
	call	ptl_versions_linked
	RESTORE	r9, r8, rcx, rdx, rsi, rdi
	ret
	END	is_linked

#elif defined(__i386__)

	.macro	BEGIN name
	.section .text.versions, "ax", %progbits
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	endbr32
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.macro	VERSION is, name, version
	BEGIN	ptl_\name\()_\version
	.ifc	\is, old
	.hidden	ptl_old_\name
	jmp	ptl_old_\name
	.else
	jmp	\name
	.endif
	END	ptl_\name\()_\version
	.symver	ptl_\name\()_\version, \name@\version
	.endm

/* Nothing was linked with us when our functions had no version. */
	.macro	UNVERSIONED name
	BEGIN	ptl_\name\()_any
	jmp	ptl_old_\name
	END	ptl_\name\()_any
	.symver	ptl_\name\()_any, \name@PTRACE_0.1
	.endm

#elif defined(__aarch64__)

	.macro	BEGIN name
	.section .text.versions, "ax", %progbits
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.cfi_startproc
	hint	34			/* bti c */
	.endm

	.macro	END name
	.cfi_endproc
	.size	\name, . - \name
	.endm

	.macro	VERSION is, name, version
	BEGIN	ptl_\name\()_\version
	.ifc	\is, old
	.hidden	ptl_old_\name
	b	ptl_old_\name
	.else
	b	\name
	.endif
	END	ptl_\name\()_\version
	.symver	ptl_\name\()_\version, \name@\version
	.endm

	.macro	UNVERSIONED name
	BEGIN	ptl_\name\()_any
	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	mov	x0, x30
	bl	ptl_versions_linked
	and	w16, w0, #1
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x29, x30, [sp], #80
	.cfi_restore x29
	.cfi_restore x30
	.cfi_adjust_cfa_offset -80
	cbz	w16, 1f
	b	\name
1:	b	ptl_old_\name
	END	ptl_\name\()_any
	.symver	ptl_\name\()_any, \name@PTRACE_0.1
	.endm

#endif

	.hidden	ptl_versions_linked

#include "preload/calls/by_version.inc"

#include "preload/hook/marks.inc"
