#!/bin/sh
# SPDX-License-Identifier: MIT
# A child that is killed before it has done anything was made all the same, by
# whatever call: its parent's process:fork and its end are in the log, and it is
# counted; also if its parent does not reap it, and where it was not to be traced.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
ways='fork _Fork forkpty clone vfork posix_spawn'
victim=$abs_top_builddir/t/preload/victim-stillborn
plan 16

run -- "$victim" fork reaps >"$T/pid" ||
	skip_all "no ptrace(2): status $?"

# info KEY: what --info says of the log.
info() {
	"$PTRACE_DUMP" --info "$T/log" 2>/dev/null | sed -n "s/^$1: *//p"
}
is_complete() {
	[ "$(info log-state)" = complete ]
}

# stillborn WAY reaps|leaves SIGNAL [OPTION...]: prints how often the child's
# birth is told, how often its end, with such a signal, and how many processes
# there were.
stillborn() {
	way=$1 reaps=$2 signal=$3
	shift 3
	run "$@" "$victim" "$way" "$reaps" >"$T/pid"
	# The tracer may end later.
	wait_for is_complete
	pid=$(cat "$T/pid")
	dump -f json >"$T/json"
	grep "process:fork.*\"child\":${pid}[,}]" "$T/json" >"$T/fork"
	! grep '"addr":"0x0"' "$T/fork" || echo nowhere
	echo "$(wc -l <"$T/fork") $(grep -c \
		"\"pid\":$pid,.*process:exit.*\"signal\":${signal}[,}]" "$T/json")" \
		"$(info processes)"
}

for way in $ways; do
	is "$(stillborn "$way" reaps 9)" '1 1 3' "$way: reaped"
done
# Then perhaps nobody is told how it ended.
for way in fork _Fork forkpty clone; do
	is "$(stillborn "$way" leaves '[09]')" '1 1 3' "$way: not reaped"
done
for way in $ways; do
	is "$(stillborn "$way" reaps 9 -F)" '1 0 1' "$way: not followed"
done
