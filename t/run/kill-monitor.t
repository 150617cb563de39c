#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of the controller and its guardian, at any moment: the program goes on,
# and whoever reads the log has all until then, and what comes later.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/kill.sh"
plan 17

for round in 1 2 3 4; do
	begin
	now=$(moment)
	"$victim" kill "$T/shared" "$now" "$guardian" "$monitor"
	"$victim" kill "$T/shared" $((now + 2000)) 0
	ended "$monitor"
	is $told 137 "$round: ptrace-run tells"
	all_there
	ok $? "$round: all is there" || diag "$(cat wrong)"
	is "$(cat dump.status)" 0 "$round: the log has been completed" ||
		diag "$(cat dump.err)"
	like "$(cat err)" "controller process died; ptrace-dump completes" \
		"$round: ptrace-run says so"
done
wait_for is_clean
ok $? "nothing is left" || diag "$(cat left; ls -l "$rundir")"
