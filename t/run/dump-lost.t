#!/bin/sh
# SPDX-License-Identifier: MIT
# Text says, where events were lost, how many: if that is known of the place.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 7

# text LOST ID...: of a log that has lost so many, with such events.
text() {
	lost=$1
	shift
	printf '%s\n' "$@" | awk '{ print NR * 1000, 10, 10, 0, $1, 0, "" }' |
		"$VICTIMS/victim-mklog" made
	"$abs_top_srcdir/t/run/patch-log" made log "lost=$lost"
	"$PTRACE_DUMP" log | cut -c 51-
}
is "$(text 1204 25 5 6 25)" "thread ends
-- 1204 events lost from here on --
-- recorded again from here on --
thread ends" "lost at one place"
is "$(text 1204 25 5)" "thread ends
-- 1204 events lost from here on --" "... and never recorded again"
is "$(text 1204 5 6 25 5 6)" "-- events lost from here on --
-- recorded again from here on --
thread ends
-- events lost from here on --
-- recorded again from here on --" "at two places: how many at each is not known"
is "$(text 0 5 6)" "-- events lost from here on --
-- recorded again from here on --" "no number is no number"

run -m 64K --log-policy loop "$VICTIMS/victim-ticks" 20000
lost=$(dump --info | sed -n 's/^lost: *//p')
is "$("$PTRACE_DUMP" log | sed -n 's/.*-- \([0-9 ]*\) events lost.*/\1/p' | tr -d ' ')" \
	"$lost" "a log that came round"
is "$("$PTRACE_DUMP" log | grep -c ' tick')" "$(count tick)" \
	"no event is missing for that"
is "$("$PTRACE_DUMP" --since +9 log | grep -c 'lost from')" 0 "... nor shown"
