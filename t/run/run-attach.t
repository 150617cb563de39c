#!/bin/sh
# SPDX-License-Identifier: MIT
# A running process can be traced, and let go.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 14

mkfifo input
"$VICTIMS/victim-ticks" <input &
victim=$!
exec 5>input
wait_for grep -q libptrace.so "/proc/$victim/maps"

"$PTRACE_RUN" -p $victim -o log 2>err &
runner=$!
has_ticks() {
	dump | grep -q ' tick'
}
wait_for has_ticks
ok $? "its events arrive while it runs"
kill -TERM $runner
wait $runner
is $? 0 "SIGTERM ends the trace"
like "$(cat err)" '^ptrace-run: .* events, 0 lost, 1 process, .* -> log$' \
	"summary line"
is "$(dump --info | sed -n 's/^log-state: *//p')" complete \
	"the log is complete"
kill -0 $victim
ok $? "the process lives on"
first=$(count tick)
sleep 0.1
is "$(count tick)" "$first" "untraced"

# Again, until it ends.
"$PTRACE_RUN" -q -p $victim -o log &
runner=$!
wait_for has_ticks
exec 5>&-
wait $runner
is $? 0 "the end of the process ends the trace"
is "$(dump --info | sed -n 's/^log-state: *//p')" complete \
	"the log is complete"

sleep 20 &
is "$(status "$PTRACE_RUN" -p $!)" 125 "a process without the library"
like "$(cat err)" 'libptrace.so' "says what is missing"
kill $!
wait $! 2>/dev/null
is "$(status "$PTRACE_RUN" -p $!)" 125 "no such process"
if grep -q '^Kthread:.1' /proc/2/status 2>/dev/null; then
	is "$(status "$PTRACE_RUN" -p 2)" 125 "a thread of the kernel's"
	is "$(cat err)" "ptrace-run: cannot trace process 2: it is a thread of \
the kernel's" "says so"
else
	skip 2 "no thread of the kernel's to be seen"
fi
is "$(echo *.ptlog)" '*.ptlog' "no log is left of these"
