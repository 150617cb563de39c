#!/bin/sh
# SPDX-License-Identifier: MIT
# Who looks at a log right after the program has ended waits until its controller
# has ended the log, and no longer than that.
# shellcheck disable=SC2016 # for eval
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 5

mkfifo up go
LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log \
	sh -c 'echo >up; read -r x <go; exit 3' &
program=$!
read -r _ <up
# Those who have this log open are the controller and its guardian, once of those
# that started them none is left.
writers() {
	find /proc/[0-9]*/fd -lname "$T/log" 2>/dev/null | cut -d / -f 3 | sort -u
}
is_guarded() {
	[ "$(writers | wc -l)" = 2 ] && for monitor in $(writers); do
		[ -z "$(guardian_of "$monitor")" ] || return 0
	done
}
wait_for is_guarded
kill -STOP "$monitor"
ok $? "the controller is held up"
"$PTRACE_DUMP" -f raw log >early 2>err
like "$? $(cat err)" \
	"^1 ptrace-dump: log: incomplete: still being written; [0-9]+ events so far" \
	"nobody waits for a program that runs"
echo >go
wait $program
is $? 3 "the program has ended"

"$PTRACE_DUMP" -f raw log >out 2>err &
dump=$!
wait_for eval '[ -n "$(find "/proc/$dump/fd" -lname "$T/log")" ]'
kill -CONT "$monitor"
wait $dump
is "$? $(cat err)" "0 " "who looks now waits for the end"
is "$(grep -c 'process:exit status=3' out)" 1 "and has all"
