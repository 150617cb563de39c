#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of the traced program, at any moment: what it recorded is in the log.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/kill.sh"
plan 17

for round in 1 2 3 4; do
	begin
	"$victim" kill "$T/shared" "$(moment)" 0
	ended
	is $told 137 "$round: ptrace-run tells"
	wait_for dump
	all_there
	ok $? "$round: all is there" || diag "$(cat wrong)"
	is "$(cat dump.status)" 0 "$round: the log is complete"
	is "$(killed)" 2 "$round: who was killed"
done
wait_for is_clean
ok $? "nothing is left" || diag "$(cat left; ls -l "$rundir")"
