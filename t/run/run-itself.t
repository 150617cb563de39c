#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that LD_PRELOAD traces and that finds no monitor is its own
# controller, and remains it whatever it executes.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 10

PATH=${PTRACE_EVENT%/*}:$PATH
# itself VAR=VAL... COMMAND...: traced into log, without a monitor.
itself() {
	rm -f log
	env PTRACE_MONITOR=/none PTRACE_OUTPUT=log LD_PRELOAD="$LIBPTRACE" "$@"
}
# What the file has by itself: a copy is nobody's.
in_file() {
	cp log copy && "$PTRACE_DUMP" -f raw "$@" copy
}
has_event() {
	in_file -n "$1" | grep -q .
}
mkfifo go end
# Whoever creates a stream looks after those whose controllers have gone.
# shellcheck disable=SC2016 # for another shell
another='"$PTRACE_RUN" -q -o another true'

itself PTRACE_RUN="$PTRACE_RUN" sh -c "echo \$\$ >pid
	ptrace-event first; exec /bin/sh -c '
	ptrace-event second; read x <go; $another; ptrace-event late
	exec /bin/sh -c \"ptrace-event third; read x <end; exit 7\"'" &
wait_for has_event second
ok $? "the program after an exec is recorded, and flushes"
echo >go
wait_for has_event third
ok $? "and the one after that"
echo >end
wait $!
is $? 7 "status"
pid=$(cat pid)
is "$(in_file | awk 'END { print $2, $3 }')" "$pid/$pid posix_trace_stop" \
	"the last of them ends the trace"
like "$(in_file --info)" '^log-state: *complete' "and completes the log"
is "$(count 'first\|second\|late\|third') $(count process:exec_failed)" "4 0" \
	"all is there"
is "$(dump -n process:fork | grep -c "child=$pid ")" 0 "and is one process"

# A program without the library cannot flush.
itself PTRACE_RUN="$PTRACE_RUN" sh -c "
	{ ptrace-event first; read x <go; ptrace-event child; echo >end; } &
	export PTRACE_DISABLE=1; exec /bin/sh -c '
	unset PTRACE_DISABLE; $another; echo >go; read x <end'"
is "$(count 'first\|child')" 2 "children go on beside a program without the library"

itself sh -c 'rm log; exec /bin/sh -c "ptrace-event x; exit 7"' >out 2>&1
is "$? $(cat out)" "7 " "a log that is gone does no harm"
itself PTRACE_FOLLOW=0 sh -c '/bin/true; exec /bin/sh -c "/bin/true; exit 7"'
is "$(count process:start) $(dump -n process:exit | grep -c 'status=7')" "2 1" \
	"PTRACE_FOLLOW=0"
