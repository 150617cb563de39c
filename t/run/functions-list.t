#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --functions-list: what could be traced of the functions inside
# programs, how, and what not; nothing is run.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" strip objcopy awk
plan 74

# list OPTION...: into `out' and `err'; sets $status.
list() {
	"$PTRACE_RUN" --functions-list "$@" >out 2>err
	status=$?
}

# line FUNCTION: what -v says of it.
line() {
	awk -v name="$1" '$4 == name || $4 == name ":" {
		$1 = ""; sub(/^ /, ""); print }' out
}

# Functions of which it is known what they look like.
cat >known.s <<'END'
	.text
.macro function name
	.p2align 4
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
.endm
.macro done name
	.cfi_endproc
	.size \name, . - \name
.endm
function plain
	mov $1, %eax
	imul $100, %eax, %eax
	ret
done plain
function tiny
	ret
done tiny
function landing
	endbr64
	mov $1, %eax
	ret
done landing
function tail
	add $1, %rdi
	jmp plain
done tail
function indirect
	mov (%rdi), %rax
	jmp *%rax
done indirect
function conditional
	test %edi, %edi
	jne plain
	mov $2, %eax
	ret
done conditional
# A loop to the second instruction, within the first five bytes.
function inside
	xor %eax, %eax
1:	add %edi, %eax
	dec %edi
	jnz 1b
	imul $100, %eax, %eax
	imul $100, %eax, %eax
	ret
done inside
function again
	add $5, %edi
	cmp $1000, %edi
	jl again
	mov $2, %eax
	ret
done again
# The return is a target: alone, but for the padding behind.
function alone
	mov $100, %eax
	test %edi, %edi
	je 1f
	imul $100, %eax, %eax
1:	ret
done alone
# Without that padding: the next one is close.
	.p2align 4
	.globl crowded
	.type crowded, @function
crowded:
	.cfi_startproc
	mov $100, %eax
	test %edi, %edi
	je 1f
	imul $100, %eax, %eax
1:	repz ret
	.cfi_endproc
	.size crowded, . - crowded
	.globl close
	.type close, @function
close:
	.cfi_startproc
	mov $1, %eax
	ret
	.cfi_endproc
	.size close, . - close
function middle
	add $100, %edi
	jmp plain + 5
done middle
function falls
	mov $100, %eax
	add %edi, %eax
done falls
	.globl behind
	.type behind, @function
behind:
	.cfi_startproc
	imul $100, %eax, %eax
	ret
	.cfi_endproc
	.size behind, . - behind
function stacked
	push %rbx
	.cfi_adjust_cfa_offset 8
	mov $100, %ebx
	jmp plain
done stacked
function trapped
	ud2
done trapped
function odd
	mov $100, %eax
	.byte 0x06
	ret
done odd
	.p2align 4
	.globl frameless
	.type frameless, @function
frameless:
	mov $100, %eax
	ret
	.size frameless, . - frameless
# A switch by a table of distances; its last case is within an exit's bytes.
function switch
	cmp $2, %edi
	ja 3f
	mov %edi, %edi
	lea table(%rip), %rdx
	movslq (%rdx,%rdi,4), %rax
	add %rdx, %rax
	jmp *%rax
.Lone:	mov $1, %eax
	ret
.Ltwo:	inc %eax
.Lfour:	repz ret
3:	xor %eax, %eax
	ret
done switch
	.section .rodata
	.p2align 2
table:	.long .Lone - table, .Ltwo - table, .Lfour - table
	.text
	.globl main
	.type main, @function
main:	.cfi_startproc
	xor %eax, %eax
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
END
$CC -o known known.s || skip_all "cannot assemble"

list -v -f '*' ./known
is "$status" 0 "a program is looked at"
is "$(line plain)" "jump 1 plain" "over whole instructions"
is "$(line tiny)" "padding 1 tiny" "over the padding behind a short one"
is "$(line landing)" "jump 1 landing" "endbr64 stays"
is "$(line tail)" "jump 1 tail" "a jump to another function is an exit"
is "$(line indirect)" "jump 1 indirect" "so is one by a pointer"
is "$(line conditional)" "jump 2 conditional" "and a conditional one"
is "$(line inside | cut -d' ' -f1)" short "a loop leads into the first bytes"
is "$(line again)" "jump 1 again" "a loop to the first instruction"
is "$(line alone)" "jump 1 alone" "an exit on padding"
is "$(line crowded)" "jump 1 crowded" "an exit by an island"
is "$(line middle)" "jump - middle: entry only: goes on inside another function" \
	"a jump into another function"
is "$(line falls)" "jump - falls: entry only: runs on into the next function" \
	"no end"
is "$(line stacked)" "jump - stacked: entry only: leaves with a stack of its own" \
	"a jump that leaves something on the stack"
is "$(line trapped)" "- - trapped: refused: begins with a trap or system call" \
	"a trap"
is "$(line odd)" "jump - odd: entry only: unknown instruction inside" \
	"bytes that are no instruction"
is "$(line frameless)" "- - frameless: refused: no unwind information" \
	"without unwind information"
is "$(line switch)" "jump 3 switch" "a switch is no exit, its cases are"
is "$(line _start)" "- - _start: refused: start-up code" "start-up code"
like "$(cat out)" "known: [0-9]+ functions" "how many there are"
like "$(cat out)" "[0-9]+ entry and exits" "how many with exits"
like "$(cat out)" "1 entry only: goes on inside another function: middle" \
	"how many by their entry, with names"
like "$(cat out)" "1 refused: no unwind information: frameless" \
	"how many not, with names"
like "$(cat out)" "entries: [0-9]+ by a jump, [0-9]+ with padding, 2 by" "and how"
list -f '*' ./known
is "$(grep -c plain out)" 0 "without -v no line for each"
is "$(wc -l <err)" 0 "nothing on stderr"

# Patterns.
list -v -f pl* -f 't?ny' ./known
is "$(line plain)$(line tiny)$(line tail)" "jump 1 plainpadding 1 tiny" \
	"two patterns"
list -f nothere ./known
is "$status $(cat err)" \
	"125 ptrace-run: --functions: no function fits 'nothere'" \
	"a pattern that fits nothing is told"
list -f libnone:x ./known
is "$status $(cat err)" \
	"125 ptrace-run: --functions: no library of it is 'libnone'" \
	"and a library that it has not"
list -v -f libc:malloc ./known
is "$(line malloc | cut -d' ' -f1) $(grep -c known out)" "jump 0" \
	"a function of a library"
list -f '*:*' ./known
is "$(grep -c 'functions\?$' out)" 1 "all objects are not libc"
list -f 'ld-linux*:*' ./known
like "$(cat out)" "refused: the loader's" "nothing of the loader"
list -v -f 'libc:setjmp' -f 'libc:vfork' ./known
is "$(grep -c 'refused: changes stacks' out)" 3 "libc's that change stacks"
list -f '*' /bin/sh
is "$status" 0 "a program of the system, by its path"
list -f '*' sh
is "$status" 0 "and by its name"

# Scripts, and what is no program.
printf '#!./known\n' >script
chmod +x script
list -v -f plain ./script
is "$status $(cat err)" \
	"0 ptrace-run: ./script is a script: functions of its interpreter, ./known" \
	"a script's interpreter"
list -f '*' ./nothere
is "$status" 127 "a file that is not there"
echo text >text
list -f '*' ./text
is "$status $(cat err)" "126 ptrace-run: ./text: not an ELF file" "a text"
list -f '*' .
is "$status" 126 "a directory"
cp known other
printf '\363\0' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
list -f '*' ./other
is "$status $(cat err)" \
	"126 ptrace-run: ./other: for another machine: only x86-64 and aarch64 are known" \
	"of another machine"
cp known other
printf '\001' | dd of=other bs=1 seek=4 conv=notrunc 2>/dev/null
list -f '*' ./other
is "$status" 126 "of 32 bits"

# Symbols that are elsewhere, or nowhere.
strip -o stripped known
list -v -f '*' ./stripped
is "$(line plain)$(grep -c 'no symbols of local functions' out)" 1 "no symbols"
list -v -f '*' ./known
address=$(awk '$4 == "alone" { sub(/^0x0*/, "", $1); print $1 }' out)
list -v -f "0x$address" ./stripped
is "$(line "0x$address")" "jump 1 0x$address" \
	"what has no name is named by its address"
objcopy --only-keep-debug known known.debug
objcopy --add-gnu-debuglink=known.debug stripped
list -v -f plain ./stripped
is "$(line plain)" "jump 1 plain" "symbols in a debug file"

# What compilers make.
cat >made.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int __attribute__((noinline)) sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i * rand();
	return s;
}
static void __attribute__((noinline, noreturn)) leave(int n)
{
	exit(n);
}
int __attribute__((noinline)) choose(int n)
{
	switch (n) {
	case 0: return rand();
	case 1: return sum(n);
	case 2: puts("two"); return 1;
	case 3: puts("three"); return 2;
	case 4: puts("four"); return sum(4) + 1;
	case 5: return putchar('5');
	default: return -1;
	}
}
int (*pointer)(int) = choose;
int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 2)
		leave(sum(argc));
	return pointer(argc);
}
END
for compiler in "$CC" clang; do
	command -v "${compiler%% *}" >/dev/null || {
		skip "made by $compiler" "no $compiler" 5
		continue
	}
	for flags in -O0 -O2 -Os "-O2 -no-pie" "-O2 -fcf-protection"; do
		# shellcheck disable=SC2086 # words
		$compiler $flags -o made made.c 2>cc.err || {
			skip "made by $compiler $flags" "it cannot"
			continue
		}
		list -v -f sum -f leave -f choose -f main ./made
		is "$(grep -c '^0x.* [0-9]  ' out) $status" "4 0" \
			"made by ${compiler%% *} $flags: entries and exits"
	done
done

# Templates: as they are written, and without the type of the result.
cat >templates.cc <<'END'
namespace ns {
template <typename T> __attribute__((noinline)) T twice(T n) { return n * 2; }
struct S {
	template <typename T> __attribute__((noinline)) operator T() const
	{
		return T(3);
	}
};
template <typename T> __attribute__((noinline)) T operator<<(S, T n)
{
	return n;
}
}
namespace {
template <typename T> __attribute__((noinline)) T *next(T *t) { return t + 1; }
}
template <typename T, typename U>
__attribute__((noinline)) auto sum(T a, U b) -> decltype(a + b)
{
	return a + b;
}
int main(int argc, char **argv)
{
	ns::S s;
	return ns::twice(argc) + (long)s + sum(argc, 1L) + (s << argc) +
	       (next(argv) == argv);
}
END
# templates PATTERN: what fits it.
templates() {
	list -v -f "$1" ./templates
	awk '/^0x/ { $1 = $2 = $3 = ""; sub(/^ */, ""); sub(/: .*/, ""); print }' out
}
if ${CXX:-c++} -O1 -o templates templates.cc 2>cc.err &&
	[ "$(templates 'int ns::twice<*')" = "int ns::twice<int>(int)" ]; then
	is "$(templates 'ns::twice<*')" "int ns::twice<int>(int)" "a template"
	is "$(templates '(anonymous namespace)::next*')" \
		"char** (anonymous namespace)::next<char*>(char**)" \
		"one of a namespace without a name"
	is "$(templates 'sum<*' | sed 's/{[^}]*}/N/g')" \
		"decltype (N+N) sum<int, long>(int, long)" \
		"one whose result is computed"
	is "$(templates 'ns::operator<<*')" \
		"int ns::operator<< <int>(ns::S, int)" "an operator"
	is "$(templates 'ns::S::operator long*')" \
		"ns::S::operator long<long>() const" "a conversion"
else
	skip "templates" "no C++, or names stay as they are" 5
fi

# Static programs: their functions can be listed, but nothing is there to hook them.
for kind in -static -static-pie -shared; do
	# shellcheck disable=SC2086 # words
	if $CC $kind -fPIC -o alone made.c >out 2>&1; then
		list -f main ./alone
		case $kind in -shared) told=0 ;; *) told=1 ;; esac
		is "$(grep -c 'alone is a static program, whose' err)" $told "$kind"
	else
		skip "$kind" "there is no libc for it" 1
	fi
done

# A program that may be run, and not read.
cp known unread
chmod 111 unread
chmod 755 "$T"
ordinary=
[ "$(id -u)" != 0 ] || ordinary='setpriv --reuid=65534 --regid=65534 --clear-groups'
if $ordinary test -x "$PTRACE_RUN" -a -x unread -a ! -r unread 2>/dev/null; then
	$ordinary "$PTRACE_RUN" --functions-list -f '*' ./unread >out 2>err
	is "$? $(cat err)" "126 ptrace-run: --functions: ./unread cannot be read: \
Permission denied" "a program that cannot be read"
else
	skip "a program that cannot be read" "there is no such user"
fi

# Usage.
list -f '*'
is "$status $(head -n 1 err)" "2 ptrace-run: which COMMAND?" "no COMMAND"
"$PTRACE_RUN" --functions-list ./known 2>err
is "$? $(head -n 1 err)" "2 ptrace-run: --functions-list is for functions \
inside COMMAND: which? (-f)" "no pattern"
list --entry-only ./known
is "$status $(head -n 1 err)" "2 ptrace-run: --entry-only is for functions \
inside COMMAND: which? (-f)" "no pattern for --entry-only"
list -f '' ./known
is "$status $(head -n 1 err)" "2 ptrace-run: --functions: '' is not a pattern \
of names, or LIBRARY:NAME" "an empty pattern"
list -f '*' -p 1
is "$status" 2 "a process"
list -f '*' -o log ./known
is "$status" 2 "a log"

# What that means for "how long": it is not known, and why.
cat >only.c <<'END'
__asm__(".text\n"
	".type whole, @function\n"
	"whole: .cfi_startproc; mov $1, %eax; mov $1, %eax\n"
	"inside: add $1, %eax; mov $2, %ecx; ret\n"
	".cfi_endproc; .size whole, .-whole\n"
	".type middle, @function\n"
	"middle: .cfi_startproc; mov $6, %eax; mov $7, %eax; jmp inside\n"
	".cfi_endproc; .size middle, .-middle\n");
int middle(void), whole(void);
int main(void)
{
	return middle() + middle() + whole() - 18;
}
END
$CC -O2 -o only only.c
run -f middle -f whole ./only
is $? 0 "entries only, and others"
"$PTRACE_REPORT" --calls log >calls
is "$(sed -nE '/middle$/s/ +/ /gp' calls | cut -d ' ' -f 2,3,10)" \
	"2 - middle" "... how long these take is not known"
like "$(cat calls)" "how long is not known of 2 calls: only their entry \
can be traced \(goes on inside another function\)" "... and why"
is "$("$PTRACE_REPORT" --calls --json log | grep -o '"no_end":2,"entry_only":2')" \
	'"no_end":2,"entry_only":2' "... in JSON"
run -c -f middle -f whole ./only
like "$("$PTRACE_REPORT" --calls log)" "of some functions only the entry can be \
traced \(goes on inside another function\)" "... in sums"
