#!/bin/sh
# SPDX-License-Identifier: MIT
# What it costs a program to have the library, in system calls: one that nothing
# traces need not ask /proc who it is, if whoever executed it could say so.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need strace
plan 7

victim=$abs_top_builddir/t/preload/victim-start
true=$(command -v true)
case $true in
/*) ;;
*) true=/bin/true ;;
esac
strace -o "$T/trace" true 2>/dev/null
[ -s "$T/trace" ] || skip_all "strace does not work here"

# calls NAME [VARIABLE...]: the system calls of the program that is executed, in
# $T/NAME; true if it asks no /proc.
calls() {
	name=$1
	shift
	rm -f "$T"/trace.*
	env "$@" strace -ff -qq -o "$T/trace" "$victim" "$true" || return
	for file in "$T"/trace.*; do
		sed -n "\|^execve(\"$true\"|,\$p" "$file"
	done >"$T/$name"
	! grep -q '"/proc' "$T/$name"
}

# What its parent said is taken for a fraction of a second, which on a busy
# machine may be over.
untraced() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		calls "$1" LD_PRELOAD="$LIBPTRACE" PTRACE_STREAMS="$2" &&
			return
	done
	return 1
}

calls bare PTRACE_DISABLE=1
untraced first ''
ok $? "who is executed by one that nothing traces asks no /proc"
diag "$(wc -l <"$T/bare") calls, with the library $(wc -l <"$T/first")"
ok "$(($(wc -l <"$T/first") - $(wc -l <"$T/bare") <= 36 ? 0 : 1))" \
	"and makes at most 36 calls more"

# env(1) by two programs that have the library.
streams() {
	env "$@" "$victim" "$victim" "$(command -v env)" |
		sed -n 's/^PTRACE_STREAMS=//p'
}
is "$(streams LD_PRELOAD="$LIBPTRACE" PTRACE_STREAMS= | sed 's/:.*//')" 0 \
	"it is told that there are no streams"
is "$(streams LD_PRELOAD="$LIBPTRACE" PTRACE_STREAMS=1,2:3)" 1,2:3 \
	"what names streams is left alone"
is "$(streams LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1)" "" \
	"nothing is told where nothing was said"
is "$(streams PTRACE_STREAMS=)" "" "nor by who does not have the library"

# Nobody else takes what was said for said to it.
LD_PRELOAD="$LIBPTRACE" PTRACE_STREAMS='' "$PTRACE_RUN" -q -o log \
	"$victim" "$victim" "$true"
is "$(dump -f json -n process:start | grep -c .)" 3 "a trace of all three"
