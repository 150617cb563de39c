#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of the program, its controller, that one's guardian and ptrace-run, at
# once, at any moment: whoever reads the log has all.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/kill.sh"
plan 19

for round in 1 2 3 4 5 6; do
	begin
	case $round in
	1 | 2) set -- 0 "$guardian" "$monitor" ;;
	3 | 4) set -- "$guardian" "$monitor" 0 ;;
	*) set -- "$front" "$guardian" "$monitor" 0 ;;
	esac
	"$victim" kill "$T/shared" "$(moment)" "$@"
	ended "$monitor"
	all_there
	ok $? "$round: all is there" || diag "$(cat wrong)"
	is "$(cat dump.status)" 0 "$round: the log has been completed" ||
		diag "$(cat dump.err)"
	is "$(dump | tail -n 1 | grep -c ' posix_trace_stop ')" 1 \
		"$round: it ends with a stop"
done
wait_for is_clean
ok $? "nothing is left" || diag "$(cat left; ls -l "$rundir")"
