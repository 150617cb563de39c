#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -m and --log-policy: a log of a size, from its beginning or up to
# its end; what it has no room for is told.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 18

# Each is a process: start and exit, and events of its libraries.
# shellcheck disable=SC2016 # for the shell that is traced
many='for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	/bin/true $i; done'

size()
{
	wc -c <"$1" | tr -d ' '
}

"$PTRACE_RUN" -o "$T/loop" -m 16K --log-policy loop -- sh -c "$many" 2>"$T/err"
is $? 0 "loop: status"
[ "$(size "$T/loop")" -le 20480 ]
ok $? "16 KiB and a little more: $(size "$T/loop")"
"$PTRACE_DUMP" -f raw "$T/loop" >"$T/out" 2>&1
is $? 0 "it can be read"
is "$(head -n 1 "$T/out" | grep -c ' posix_trace_overflow$')" 1 \
	"it says that something was lost"
is "$(sed -n 2p "$T/out" | grep -c ' posix_trace_resume$')" 1 \
	"and where it goes on"
is "$(grep -c 'argv=\[[^]]*"20"\]' "$T/out")" 1 "the last process is there"
is "$(tail -n 1 "$T/out" | grep -c ' posix_trace_stop ')" 1 \
	"up to the end"
grep -q ' [1-9][0-9 ]* lost' "$T/err"
ok $? "the summary counts it" || diag "$(cat "$T/err")"

"$PTRACE_RUN" -o "$T/full" -m 16K --log-policy until-full -- sh -c "$many" \
	2>"$T/err"
is $? 0 "until-full: status"
[ "$(size "$T/full")" -le 20480 ]
ok $? "16 KiB and a little more: $(size "$T/full")"
"$PTRACE_DUMP" -f raw "$T/full" >"$T/out" 2>&1
is "$(head -n 1 "$T/out" | grep -c ' posix_trace_start ')" 1 \
	"from the beginning"
is "$(tail -n 1 "$T/out" | grep ' posix_trace_stop ' | grep -c 'auto=0')" 0 \
	"it stopped by itself"
is "$("$PTRACE_DUMP" --info "$T/full" | grep -c '^log-full: *full')" 1 \
	"--info says that it is full" || diag "$("$PTRACE_DUMP" --info "$T/full")"
grep -q ' [1-9][0-9 ]* lost' "$T/err"
ok $? "the summary counts it" || diag "$(cat "$T/err")"

"$PTRACE_RUN" -o "$T/plain" -- sh -c "$many" 2>/dev/null
"$PTRACE_DUMP" -f raw "$T/plain" | cut -d ' ' -f 3 | grep -c flush >"$T/out"
is "$(cat "$T/out")" 0 "no word of when we wrote to the log"

# A small stream and many events: what does not fit waits.
"$PTRACE_RUN" -o "$T/block" -b 16K --stream-policy block -- sh -c "$many" \
	2>"$T/err"
is $? 0 "block: status"
like "$(cat "$T/err")" ' 0 lost, 21 processes' "nothing is lost"
like "$("$PTRACE_DUMP" --info "$T/block")" 'block' "--info tells the policy"
