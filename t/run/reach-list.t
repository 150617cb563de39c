#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --reach-list: the system calls in a program's own code, which calls
# they are, and how they could be patched; nothing is run.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" objdump awk
plan 28

# list FILE: into `out' and `err'; sets $status.
list() {
	"$PTRACE_RUN" --reach-list "$1" >out 2>err
	status=$?
}

# line FUNCTION: what is said of its call, but the address.
line() {
	awk -v name="$1" '$7 == name || $7 == name ":" {
		$1 = ""; sub(/^ /, ""); print }' out
}

# Functions with one call each, of which it is known what they look like.
cat >known.s <<'END'
	.text
.macro function name
	.p2align 4, 0xcc
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
.endm
.macro done name
	.cfi_endproc
	.size \name, . - \name
.endm
function number
	mov $39, %eax
	syscall
	ret
done number
function wide
	mov $39, %rax
	syscall
	ret
done wide
function zero
	xor %eax, %eax
	syscall
	mov %rax, %rdi
	ret
done zero
function earlier
	mov $1, %eax
	mov $2, %edi
	mov %r8, %rsi
	lea 8(%rsp), %rdx
	syscall
	ret
done earlier
function changed
	mov $1, %eax
	mov %rdi, %rax
	syscall
	ret
done changed
function given
	mov 8(%rsp), %rax
	syscall
	ret
done given
function either
	mov $1, %eax
	test %edi, %edi
	je 1f
	mov $3, %eax
1:	syscall
	cmp $-4095, %rax
	ret
done either
function behind
	mov %edi, %eax
	syscall
1:	dec %eax
	jne 1b
	ret
done behind
function tight
	mov %edi, %eax
	syscall
	ret
	.byte 0x55
done tight
function padded
	mov %edi, %eax
	syscall
	ret
done padded
function back
	mov $15, %rax
	syscall
	hlt
done back
function twice
	mov %edi, %eax
	syscall
	syscall
	ret
done twice
function inside
	.byte 0xb8, 0x0f, 0x05, 0, 0
	ret
done inside
	.globl main
function main
	xor %eax, %eax
	ret
done main
	.p2align 4, 0xcc
	.byte 0x0f, 0x05, 0x33
	.section .note.GNU-stack, "", @progbits
END
$CC -o known known.s || exit 1
list ./known
is "$status $(cat err)" "0 " "functions that are known"
is "$(line number)" "39 getpid jump 5 0 number" "its number before it"
is "$(line wide)" "39 getpid jump 7 0 wide" "... as one of 64 bits"
is "$(line zero)" "0 read jump 0 3 zero" "the number 0"
is "$(line earlier)" "1 write padding 0 1 earlier" "a number before its arguments"
is "$(line changed)" "? ? padding 0 1 changed" "a number that is another then"
is "$(line given)" "? ? padding 0 1 given" "one from memory"
is "$(line either)" "? ? jump 0 6 either" "one that comes by two ways"
is "$(line behind)" \
	"? ? - - - behind: refused: a jump leads to what is beside it" \
	"a loop behind it"
is "$(line tight)" "? ? - - - tight: refused: no room beside it" "no room"
is "$(line padded)" "? ? padding 0 1 padded" "padding"
is "$(line back)" \
	"15 rt_sigreturn - - - back: refused: returns from signal handlers" \
	"a handler returns"
is "$(line twice)" "? ? - - - twice: refused: no room beside it
? ? padding 0 1 twice" "two, one behind the other"
is "$(line inside)" "" "two such bytes in another instruction"
is "$(grep -c '^0x.*: may be no code$' out)" 1 "constants"
like "$(grep '^\./known' out)" '14 system calls, of 5 it is known which$' "in all"

# differ FILE: the addresses here, or by objdump, alone.
differ() {
	objdump -d --no-show-raw-insn "$1" 2>/dev/null |
		awk '$2 == "syscall" { sub(":", "", $1); print $1 }' | sort >theirs
	list "$1"
	sed -n 's/^0x0*\([0-9a-f]*\) .*/\1/p' out | sort >ours
	comm -3 ours theirs | head -n 5
}

# all FILE NAME LEAST: each that objdump finds, and so many in all.
all() {
	is "$(differ "$1")" "" "$2: as objdump has them"
	[ "$(grep -c . theirs)" -ge "$3" ]
	ok $? "... which are some"
}
libc=$(ldd /bin/sh 2>/dev/null | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
if [ -n "$libc" ]; then
	all "$libc" libc 100
else
	skip "libc: as objdump has them" "none" 2
fi
echo 'int main(void) { return 0; }' >empty.c
if $CC -static -o static empty.c 2>/dev/null; then
	all ./static "a static program" 20
else
	skip "a static program" "cannot link statically" 2
fi
if command -v musl-gcc >/dev/null && musl-gcc -static -o musl empty.c; then
	all ./musl "musl's" 3
else
	skip "musl's" "no musl-gcc" 2
fi
go=$(command -v go)
if [ -n "$go" ] && grep -q ELF "$go" 2>/dev/null; then
	all "$go" "a program of Go's" 30
	is "$(grep -c refused: out)" 2 "... all but the return from handlers"
	is "$(awk '$2 == 257' out | awk '{ print $3, $4, $5, $6 }')" \
		"openat jump 5 0" "... an openat() of it"
else
	skip "a program of Go's" "none" 4
fi

"$PTRACE_RUN" --reach-list -p 1 >out 2>err
is $? 2 "not of a process"
"$PTRACE_RUN" --reach-list /none >out 2>err
is $? 127 "a file that is not there"
