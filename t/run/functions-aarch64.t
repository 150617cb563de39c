#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --functions-list of a file for aarch64, on any machine: what could
# be traced of its functions, and what not.  (They are run by t/meta/aarch64.t.)
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
as=aarch64-linux-gnu-as
ld=aarch64-linux-gnu-ld
need $as $ld awk
plan 31

# Functions of which it is known what they look like.
cat >known.s <<'END'
	.arch	armv8.5-a
	.text
	.macro	function name
	.p2align 4
	.globl	\name
	.type	\name, %function
\name:
	.cfi_startproc
	.endm
	.macro	done name
	.cfi_endproc
	.size	\name, . - \name
	.endm

function plain
	mov	w0, #1
	ret
done plain
function tiny
	ret
done tiny
function landing
	bti	c
	ret
done landing
function signing
	paciasp
	.cfi_negate_ra_state
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	bl	plain
	ldp	x29, x30, [sp], #16
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	retaa
done signing
function tail
	add	x1, x1, #1
	b	plain
done tail
function conditional
	cbz	x0, plain
	tbz	x0, #3, plain
	b.eq	plain
	ret
done conditional
function indirect
	ldr	x16, [x0]
	br	x16
done indirect
# By a table of functions: nothing in it is its own.
function chosen
	ldr	x16, [x1, x0, lsl #3]
	br	x16
done chosen
function framed
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	b	plain
done framed
function loops
	sub	x0, x0, #1
	cbnz	x0, loops
	ret
done loops
function middle
	b	plain + 4
done middle
function falls
	add	x0, x0, x1
done falls
function behind
	ret
done behind
function trap
	brk	#1
	ret
done trap
function kernel
	svc	#0
	ret
done kernel
function unknown
	mov	x0, x1
	.inst	0x02000000
	ret
done unknown
# A switch, as GCC makes it, and as Clang does; the exit is one.
function switched
	adrp	x1, table
	add	x1, x1, #:lo12:table
	ldrb	w0, [x1, w0, uxtw]
	adr	x1, 1f
	add	x0, x1, w0, sxtb #2
	br	x0
1:	mov	w0, #2
	ret
done switched
function shifted
	adr	x9, 1f
	ldrb	w10, [x1, x0]
	add	x9, x9, x10, lsl #2
	mov	w2, #3
	br	x9
1:	mov	w0, #2
	ret
done shifted
# It may be one of its own addresses.
function threaded
	adr	x1, 1f
	str	x1, [x0]
	ldr	x1, [x0]
	br	x1
1:	ret
done threaded
# The constant looks like a return.
function constant
	ldr	w0, 1f
	ret
1:	.inst	0xd65f03c0
done constant
# First instructions that are relative.
function relative
	adr	x0, plain
	ret
done relative
function page
	adrp	x0, table
	ret
done page
function literal
	ldr	q0, table
	ret
done literal
function calls
	bl	plain
	ret
done calls
function authenticated
	blraaz	x0
	ret
done authenticated
	.globl	bare
	.type	bare, %function
bare:
	ret
	.size	bare, . - bare
	.globl	_start
	.type	_start, %function
_start:
	.cfi_startproc
	b	plain
	.cfi_endproc
	.size	_start, . - _start
	.section .rodata
	.p2align 4
table:	.quad	0, 0
END
$as -o known.o known.s && $ld -shared -Bsymbolic -o known known.o || exit 1

"$PTRACE_RUN" --functions-list -v -f '*' ./known >out 2>err
is "$? $(cat err)" "0 " "a file for aarch64"

# line FUNCTION WORDS WHY: what -v says of it.
line() {
	is "$(awk -v name="$1" '/^0x/ && ($4 == name || $4 == name ":") {
		$1 = ""; sub(/^ /, ""); print }' out)" "$2" "$3"
}
line plain "jump 1 plain" "an exit"
line tiny "jump 1 tiny" "of one instruction"
line landing "jump 1 landing" "behind a landing pad"
line signing "jump 1 signing" "it signs its return address"
line tail "jump 1 tail" "a tail jump"
line conditional "jump 4 conditional" "conditional ones"
line indirect "jump 1 indirect" "an indirect one"
line chosen "jump 1 chosen" "by a table of functions"
line framed "jump - framed: entry only: leaves with a stack of its own" \
	"with a stack of its own"
line loops "jump 1 loops" "a loop to the first instruction"
line middle "jump - middle: entry only: goes on inside another function" \
	"into another one"
line falls "jump - falls: entry only: runs on into the next function" \
	"without an end"
line behind "jump 1 behind" "what is behind that"
line trap "- - trap: refused: begins with a trap or system call" "a trap"
line kernel "- - kernel: refused: begins with a trap or system call" \
	"a system call"
line unknown "jump - unknown: entry only: unknown instruction inside" \
	"what is no instruction"
line switched "jump 1 switched" "a switch"
line shifted "jump 1 shifted" "a switch, by Clang"
line threaded "jump - threaded: entry only: a jump that may be of a switch" \
	"an address of its own"
line constant \
	"jump - constant: entry only: shares code with another function" \
	"a constant that looks like an exit"
line relative "jump 1 relative" "adr"
line page "jump 1 page" "adrp"
line literal "jump 1 literal" "ldr of a literal"
line calls "jump 1 calls" "a call at first"
line authenticated "- - authenticated: refused: a call within the first bytes" \
	"one of a signed address"
line bare "- - bare: refused: no unwind information" "no unwind information"
line _start "- - _start: refused: start-up code" "start-up code"
is "$(grep -c 'entries: 22 by a jump, 0 with padding, 0 by a short' out)" 1 \
	"the sum"

"$PTRACE_RUN" --reach-list ./known >out 2>err
is "$? $(cat err)" \
	"126 ptrace-run: ./known: for aarch64: system calls only of x86-64 are known" \
	"of its system calls nothing is known"
lib=/usr/aarch64-linux-gnu/lib/libc.so.6
if [ -f "$lib" ]; then
	"$PTRACE_RUN" --functions-list -f '*' "$lib" >out 2>err
	awk '/entry and exits/ { whole = $1 } NR == 1 { all = $2 }
		END { exit !(whole > all * 95 / 100) }' out
	ok $? "nearly all functions of libc" || diag "$(cat out err)"
else
	skip "nearly all functions of libc" "it is not there"
fi
