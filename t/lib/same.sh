# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests that a program cannot notice the trace, after t/lib/tap.sh.
. "${abs_top_srcdir:-.}/t/lib/run.sh"

# Called before each run of the command; a test that needs it defines its own.
prepare() {
	:
}
# Filters out what may differ in an output; a test that needs it defines its
# own.
settle() {
	cat
}

# Put before the whole command line, to change what is inherited.
before=

# once HOW COMMAND...: into $T/HOW.
once() {
	how=$1
	shift
	rm -f "$T/log"
	prepare
	case $how in
	plain) set -- "$@" ;;
	run) set -- "$PTRACE_RUN" -q -o "$T/log" -- "$@" ;;
	events) set -- "$PTRACE_RUN" -q -e all -o "$T/log" -- "$@" ;;
	calls) set -- "$PTRACE_RUN" -q -l '*' -o "$T/log" -- "$@" ;;
	returns) set -- "$PTRACE_RUN" -q -r '*' -o "$T/log" -- "$@" ;;
	detach) set -- "$PTRACE_RUN" -q -o "$T/log" -D -- "$@" ;;
	preload)
		set -- env LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT="$T/log" "$@"
		;;
	esac
	$before "$@" >"$T/out" 2>"$T/err" </dev/null
	echo $? >"$T/end"
	{
		settle <"$T/out"
		echo "-- errors"
		settle <"$T/err"
		echo "-- status"
		cat "$T/end"
	} >"$T/$how"
}

# All ways to be traced.
ways="run detach preload"

# is_traced: is there something in the log, or will there be?
is_traced() {
	[ "$(count process:start)" -gt 0 ]
}

# same NAME COMMAND...: one test: output, errors and status are the same with
# and without a trace; also checks that the command really was traced.
same() {
	name=$1
	shift
	once plain "$@"
	for how in $ways; do
		once "$how" "$@"
		if ! cmp -s "$T/plain" "$T/$how"; then
			fail "$name: $how"
			diag "$(diff "$T/plain" "$T/$how" | head -n 20)"
			return 1
		fi
		if ! wait_for is_traced; then
			fail "$name: $how: not traced"
			return 1
		fi
	done
	pass "$name"
}

# try NAME PROGRAM COMMAND...: skipped if there is no such program.
try() {
	name=$1
	program=$2
	shift 2
	if command -v "$program" >/dev/null 2>&1; then
		same "$name" "$@"
	else
		skip "$name" "no $program"
	fi
}
