#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of the controller, at any moment, or again and again: another takes its
# place, and goes on with the stream and the log.  Nothing is missing, nobody says
# anything, and the status is the program's; with its guardian killed it ends the
# trace itself.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/kill.sh"
plan 45

# judge NAME: what became of it.
judge() {
	is "$told $(cat err)" '137 ' "$1: ptrace-run says nothing"
	all_there
	ok $? "$1: all is there" || diag "$(cat wrong)"
	is "$(cat dump.status) $(dump --info | sed -n 's/^lost: *//p')" '0 0' \
		"$1: nothing is lost, the log is complete" ||
		diag "$(cat dump.err)"
	is "$(killed)" 2 "$1: the ends of its processes"
}

# other_than PID: the controller that the guardian has made since.
other_than() {
	next=$(cat "/proc/$guardian/task/$guardian/children")
	next=${next%% *}
	[ -n "$next" ] && [ "$next" != "$1" ] &&
		grep -qx ptrace-monitor "/proc/$next/comm"
}

for options in '' '--stream-policy block' '--log-policy loop -m 64M' \
	'--log-policy until-full -m 64M' '-e all'; do
	# shellcheck disable=SC2086 # options, one a word
	begin_with -b 16M $options
	now=$(moment)
	"$victim" kill "$T/shared" "$now" "$monitor"
	"$victim" kill "$T/shared" $((now + 2000)) 0
	ended "$monitor"
	judge "${options:-as it is}"
done

begin
for now in 100 2000 4000 6000 8000; do
	"$victim" kill "$T/shared" $now "$monitor"
	wait_for other_than "$monitor"
	monitor=$next
done
"$victim" kill "$T/shared" 10000 0
ended "$monitor"
judge "five times"

# At the end: the controller is killed while it completes the log, or just before
# or after that.
for round in 1 2 3 4; do
	begin
	"$victim" kill "$T/shared" "$(moment)" 0 "$monitor"
	ended "$monitor"
	judge "at the end, $round"
done

begin
"$victim" kill "$T/shared" 1000 "$guardian"
"$victim" kill "$T/shared" 5000 0
ended "$monitor"
is "$told $(cat err)" '137 ' "its guardian: ptrace-run says nothing"
all_there
ok $? "its guardian: all is there" || diag "$(cat wrong)"

# Where nobody waits for the trace, and where nobody has asked for a controller.
# shellcheck disable=SC2016 # for the other shell
printf 'read -r _ <"$1"; for i in 1 2 3 4 5; do ptrace-event after; done\n' >later
PATH=${PTRACE_EVENT%/*}:$PATH
mkfifo go
is_listed() {
	"$PTRACE_CTL" list --json | grep -q '"controller"'
}
for how in -D preloaded; do
	rm -f log
	if [ $how = -D ]; then
		"$PTRACE_RUN" -q -D -o "$T/log" sh later go &
	else
		LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT="$T/log" sh later go &
	fi
	front=$!
	wait_for is_listed
	monitor=$("$PTRACE_CTL" list --json |
		sed -n 's/.*"controller":\([0-9]*\).*/\1/p')
	kill -9 "$monitor"
	echo >go
	wait $front
	wait_for sh -c "'$PTRACE_DUMP' --info log | grep -q 'state: *complete'"
	is "$(count after) $(dump --info | sed -n 's/^controller: *//p')" '5 ' \
		"$how: all is there"
done
wait_for is_clean
ok $? "nothing is left" || diag "$(cat left; ls -l "$rundir")"
