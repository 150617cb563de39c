#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs are hardened, whatever the compiler's defaults are; and the flags
# with which distributions harden change nothing that the library relies on.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need make nm readelf "${CC%% *}"
plan 9

programs="$PTRACE_DUMP $PTRACE_EVENT
	$abs_top_builddir/libexec/libptrace/ptrace-functions
	$abs_top_builddir/libexec/libptrace/ptrace-monitor"
prototypes=$abs_top_builddir/libexec/libptrace/ptrace-prototypes
[ ! -f "$prototypes" ] || programs="$programs $prototypes"

# lack WHAT PATTERN OPTION: which programs do not have it, by readelf.
lack() {
	for program in $programs; do
		readelf "$3" "$program" | grep -Eq -e "$2" || echo "$program"
	done >"$T/lack"
	is "$(cat "$T/lack")" "" "programs: $1"
}
lack "at any address" 'Flags:.* PIE' -dW
lack "bound at once" 'Flags:.* NOW' -dW
lack "what is relocated is read-only then" GNU_RELRO -lW
lack "no stack that can be executed" 'GNU_STACK.* RW ' -lW

# unmarked FILE...: which cannot run with branches and returns checked.
unmarked() {
	for file; do
		readelf -nW "$file" 2>/dev/null | grep -q 'IBT, SHSTK' ||
			echo "$file"
	done
}
echo 'int main(void) { return 0; }' >"$T/empty.c"
if [ "$(uname -m)" != x86_64 ]; then
	skip "marked fit for IBT and shadow stacks" "not x86-64" 2
else
	is "$(unmarked "$abs_top_builddir"/tools/*/*ptrace_dump-*.o \
		"$abs_top_builddir"/tools/*/*libptrace_ptrace_monitor-*.o)" "" \
		"what is compiled is fit for IBT and shadow stacks"
	$CC -fcf-protection=full -o "$T/empty" "$T/empty.c" 2>/dev/null
	if [ "$(unmarked "$T/empty")" ]; then
		skip "programs are marked so" "this libc's crt1.o is not"
	else
		# shellcheck disable=SC2086 # words
		is "$(unmarked $programs)" "" "programs are marked so"
	fi
fi

unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$abs_top_builddir" || exit 1
srcdir=$(sed -n 's/^srcdir = //p' Makefile)
# object DIR PREFIX NAME: into $T, as make would with a distribution's flags.
object() {
	source=$srcdir/$1/$3.c
	[ -f "$source" ] || source=$1/$3.c
	command=$(make -n -W "$source" "$1/$2-$3.lo" CFLAGS="-O2 \
		-fstack-protector-all -Wp,-D_FORTIFY_SOURCE=2 \
		-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64" |
		sed -n 's/.*--mode=compile \(.*\) -MT .*/\1/p')
	[ "$command" ] &&
		eval "$command -c -o '$T/$3.o' '$source'"
}
object core/shm libcore_la names &&
	object core/record libcore_la fastpath_gpr &&
	object preload/calls libpreload_more_la file
ok $? "the library compiles with what distributions add"
is "$(nm -u "$T"/*.o | grep _chk)" "" "and calls no function for it"
is "$(nm "$T/file.o" | grep -cE ' T (open|open64)$')" 2 \
	"open() and open64() stay two"
