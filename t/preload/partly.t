#!/bin/sh
# SPDX-License-Identifier: MIT
# A program of Go's, which makes its own system calls, is traced where it calls
# libc, and told as traced only there.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 8

cat >"$T/go.c" <<'END'
#include <stdio.h>
__asm__(".section .note.go.buildid, \"a\", %note\n"
	".balign 4\n"
	".long 4, 8, 4\n"
	".asciz \"Go\\0\"\n"
	".asciz \"an id..\"\n"
	".text\n");
int main(void)
{
	puts("hi");
	return 3;
}
END
cd "$T" || exit 1
${CC:-cc} -o go go.c || exit 1
partly="traced only where it calls libc (Go: its own system calls, and what it \
starts by them, are not recorded)"
same "a program" ./go
is "$(events process:start '"argv":."./go"')" 1 "is traced"
is "$(events process:untraced '"path":"./go","reason":"traced only where')" 1 \
	"and told"
"$PTRACE_RUN" -o log sh -c './go; ./go; exit 0' >out 2>err
is "$(sed -n 's/^ptrace-run: not traced: //p' err)" "./go: $partly" \
	"in the summary"
is "$(sed -n 's/.* processes, \(.* not traced\),.*/\1/p' err)" "2 not traced" \
	"counted"
"$PTRACE_RUN" -q --strict -o log sh -c './go; exit 0' >out 2>err
is $? 125 "--strict fails"
is "$("$PTRACE_REPORT" log | grep -c -F "not traced: ./go ($partly)")" 1 \
	"in the report"
is "$("$PTRACE_REPORT" log | grep -c ' go\[[0-9]*\]$')" 1 \
	"which has it as a program that was traced"
