#!/bin/sh
# SPDX-License-Identifier: MIT
# A test that hangs or loops is ended, and told of; one that takes its time is not.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
plan 9
patience=$abs_top_srcdir/t/lib/patience

# with NAME=VALUE COMMAND...: its status is told, what it says is in $T/err.
with() {
	env "$1" "$patience" sh -c "$2" 2>"$T/err"
	echo $?
}

is "$(with TAP_DEADLINE=2 'sleep 1000; :')" 124 "asleep for ever"
like "$(cat "$T/err")" 'sh: nothing of it ran for 2 s' "why"
like "$(cat "$T/err")" ': sleep 1000' "what it was doing"
pid=$(sed -n 's/^#   \([0-9]*\),.*: sleep 1000.*/\1/p' "$T/err")
! kill -0 "$pid" 2>/dev/null
ok $? "its processes are ended"
is "$(with TAP_CPU=1 'while :; do :; done')" 124 "busy for ever"
like "$(cat "$T/err")" 'sh: it ran for 1 s in all' "why"
# shellcheck disable=SC2016 # for perl
busy='perl -e "do { (\$u, \$s) = times } while \$u + \$s < 1.2"'
is "$(with TAP_CPU=2 "sh -c '$busy; sleep 3; :'; sleep 3; :")" 0 \
	"a child's time is its parent's later, and counted once"
is "$(with TAP_DEADLINE=2 'for i in 1 2 3 4 5 6 7 8 9; do sleep 0.45; done
	exit 3')" 3 "longer than the deadline, but never asleep for so long"
is "$(with TAP_DEADLINE=2 'kill -KILL $$')" 137 "a signal"
