#!/bin/sh
# SPDX-License-Identifier: MIT
# Every process of a log has its program's name.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 9
may=
[ "$(id -u)" = 0 ] || may="unshare -Uc --keep-caps"

# programs EVENT: those that have recorded it, or that it was recorded for.
programs() {
	"$PTRACE_DUMP" -f json -n "$1" log | sed 's/.*"program":"\([^"]*\)".*/\1/
t
s/.*/?/' | sort | uniq -c | tr -s ' \n' ' '
}

# A child of a fork that no wrapper has seen.
run -e all "$VICTIMS/victim-raw"
is "$(programs file:open)" " 1 victim-raw " "a fork by number"
"$PTRACE_DUMP" -n file:open log >opens
like "$(cat opens)" ' at main' "... and its addresses have names"
if $may true 2>/dev/null; then
	# shellcheck disable=SC2086
	run -e all $may "$VICTIMS/victim-raw" elsewhere
	is "$(programs process:exit | sed 's/ 1 unshare//')" " 2 victim-raw " \
		"in a pid namespace of its own"
else
	skip "in a pid namespace of its own" "no namespaces here"
fi

# Who stands aside of the trace is told of by others.
run --only cat sh -c 'cat /dev/null; (exit 4); (exec cat /dev/null); exit 3'
is "$(programs process:exit)" " 2 cat 2 sh " "not chosen: --only"
is "$("$PTRACE_REPORT" --processes log | grep -c '?')" 0 "... in a report"
run sh -c 'PTRACE_DISABLE=1 sh -c "cat /dev/null; exit 3"'
is "$(programs process:fork)" " 2 sh " "PTRACE_DISABLE"
is "$(names | grep -c process:program)" 2 "... and who is traced does not say it"

# What runs already: it may record nothing itself.
rm log
mkfifo turn back
# shellcheck disable=SC2016
LD_PRELOAD=$LIBPTRACE sh -c 'while read -r word; do
	(exit 3)
	cat /dev/null
	echo done >back
done' <turn &
victim=$!
exec 5>turn
wait_for grep -q libptrace.so "/proc/$victim/maps"
"$PTRACE_RUN" -q -p $victim -o log 2>err &
runner=$!
is_started() {
	"$PTRACE_DUMP" -f raw log 2>/dev/null | grep -q posix_trace_start
}
wait_for is_started
echo go >&5
read -r _ <back
exec 5>&-
wait $victim $runner
is "$(programs process:fork | tr -d 0-9)" "  sh " "ptrace-run -p" ||
	diag "$(cat err)"
is "$(programs process:exit | grep -c '?')" 0 "... its children's, too"
