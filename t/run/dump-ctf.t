#!/bin/sh
# SPDX-License-Identifier: MIT
# CTF: a directory whose metadata say what is in its packets: each event, as JSON
# shows it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 77

make_logs
ok $? "recorded"
for log in $LOGS; do
	ends ctf "$log"
	check ctf 6 "$log"
done

# Of two logs each is a trace of its own.
ends ctf two.1 two.2
json two.1 >events
json two.2 >events2
"$abs_top_srcdir/t/run/check-ctf" export events events2 >results
is "$(grep -c ^pass results)" 6 "two logs: all that is true of one" ||
	diag "$(cat results)"

echo 1 10 10 0 18 0 s:/x | "$VICTIMS/victim-mklog" log
rm -rf export
"$PTRACE_DUMP" -f ctf -n nosuch -o export log 2>/dev/null
json -n nosuch log >events
is "$("$abs_top_srcdir/t/run/check-ctf" export events | grep -c ^pass)" 6 \
	"no events"

# With the reader that others use: as many, at the same times.
if ! command -v babeltrace2 >/dev/null 2>&1; then
	skip "babeltrace2: the events and their times" "no babeltrace2" 9
	exit
fi
for log in $LOGS 'two.1 two.2'; do
	rm -rf export
	# shellcheck disable=SC2086 # several
	"$PTRACE_DUMP" -f ctf -o export $log 2>/dev/null
	# shellcheck disable=SC2086
	is "$(babeltrace2 --clock-seconds export 2>err |
		sed 's/^\[\([0-9.]*\)\].*/\1/' | cksum)" \
		"$(json $log | sed 's/^{"ts":"\([0-9.]*\)".*/\1/' | cksum)" \
		"babeltrace2: the events and their times: $log" ||
		diag "$(head -n 3 err)"
done
