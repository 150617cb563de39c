#!/bin/sh
# SPDX-License-Identifier: MIT
# COMMAND gets the signals it would get alone, each as often: what is sent to
# ptrace-run is passed on, what is sent to their process group is not.
# shellcheck disable=SC2016 # another shell's
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need setsid timeout
plan 13

# begin WRAPPER...: a session, group and ptrace-run of its own; $pid is the
# group, $front ptrace-run.
begin() {
	rm -f told pid front
	setsid sh -c 'echo $$ >pid; exec "$@"' sh "$@" \
		sh -c 'echo $$ >front; exec "$@"' sh "$PTRACE_RUN" -q -o log \
		"$VICTIMS/victim-signals" >told &
	wait_for grep -q begun told
	pid=$(cat pid)
	front=$(cat front)
}
# Has ptrace-run taken the TERM and the INT that were sent to it?
has_taken() {
	pending=$(sed -n 's/^ShdPnd:.*\(....\)$/\1/p' "/proc/$front/status")
	[ $((0x$pending & 0x4002)) = 0 ]
}
# Until then what is sent to it would be taken, one by one.
is_stopped() {
	grep -q '^State:[[:space:]]*T' "/proc/$front/status"
}
has_told() {
	[ "$(wc -l <told)" -gt "$asked" ]
}
# counted: what COMMAND got since.  The question comes through the handler that
# passed on the signals before it.
counted() {
	wait_for has_taken
	asked=$(wc -l <told)
	kill -USR1 "$front"
	wait_for has_told
	tail -n 1 told
}
end() {
	kill -HUP "$front"
	wait
}

begin env
kill -TERM "$front"
is "$(counted)" "TERM 1 INT 0 queued 0 0" "to ptrace-run alone"
kill -TERM "-$pid"
is "$(counted)" "TERM 1 INT 0 queued 0 0" "to the group"
kill -TERM "$front"
is "$(counted)" "TERM 1 INT 0 queued 0 0" "to ptrace-run again"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	kill -TERM "-$pid"
	counted
done >each
is "$(sort each | uniq -c | tr -s ' ')" " 10 TERM 1 INT 0 queued 0 0" \
	"ten times to the group"
kill -USR2 "$front"
wait_for grep -q sent told
is "$(counted)" "TERM 1 INT 0 queued 0 0" "COMMAND's own, to its group"
"$VICTIMS/victim-signals" queue "$front" 42
is "$(counted)" "TERM 1 INT 0 queued 1 42" "one with a value"

# What becomes of the witness does no harm.
witness=$(grep -lx ptrace-witness /proc/[0-9]*/comm 2>/dev/null |
	cut -d / -f 3 | while read -r one; do
	grep -q "^PPid:[[:space:]]*$front\$" "/proc/$one/status" && echo "$one"
done)
kill -STOP "$witness"
kill -TERM "-$pid"
is "$(counted)" "TERM 1 INT 0 queued 0 0" "the witness is stopped"
kill -TERM "$witness"
"$VICTIMS/victim-signals" queue "$front" 1
is "$(counted)" "TERM 1 INT 0 queued 1 1" "a signal to the witness alone"
kill -KILL "$witness"
kill -TERM "$front"
is "$(counted)" "TERM 1 INT 0 queued 0 0" "without witness"
end
is_ended "$witness"
ok $? "it has ended"

# timeout(1) sends to its child and then to the group: one, if the first was
# not taken before the second came.
begin timeout 100
kill -STOP "$front"
wait_for is_stopped
kill -TERM "$pid"
is "$(counted)" "TERM 1 INT 0 queued 0 0" "timeout"
end

# What the terminal sends: to the group, but its end to the session's leader.
if command -v script >/dev/null; then
	rm -f told front
	mkfifo keys
	setsid script -qfc "echo \$\$ >front
		exec '$PTRACE_RUN' -q -o log '$VICTIMS/victim-signals'" \
		/dev/null <keys >told &
	script=$!
	exec 6>keys
	wait_for grep -q begun told
	front=$(cat front)
	printf '\003' >&6
	wait_for grep -q '\^C' told
	like "$(counted)" "TERM 0 INT 1 queued 0 0" "^C at the terminal"
	kill -KILL $script
	wait_for is_ended "$front"
	ok $? "the terminal goes away"
	wait
else
	skip "the terminal" "no script" 2
fi
