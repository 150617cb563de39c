#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that becomes another user and goes on: what it forks is traced, each
# end is told once, and the trace lasts as long as one of them does, whether or
# not their numbers mean something to the controller.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/guest.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 12

victim=$VICTIMS/victim-leave
mkfifo fifo
chmod 666 fifo

is_complete() {
	dump >/dev/null 2>&1
}

# ends: how all ended, in the order of the log.
ends() {
	dump -n process:exit | grep -oE '(status|signal)=[0-9]+' | tr '\n' ' '
}

# left COMMAND...: what it said, and how all ended.
left() {
	"$PTRACE_RUN" -q -o log "$@" >out 2>err
	wait_for is_complete
	ends
}
is "$(left "$victim" exit 65534 fifo)" "status=4 " "it exits"
is "$(left "$victim" kill 65534 fifo)" "signal=9 " "it is killed"
is "$(left sh -c "$victim kill 65534 fifo; exit 3")" "signal=9 status=3 " \
	"its parent reaps it"
is "$(left "$victim" child 65534 fifo)" "status=5 signal=9 status=4 " \
	"one child exits, one is killed"
is "$(dump -n process:fork | grep -c child=)" 2 "both births are told"

rm -f log
run -- "$victim" orphan 65534 fifo >out 2>err
is $? 4 "it leaves a child"
is "$(status dump)" 1 "the log is not complete"
: >fifo
wait_for is_complete
is "$(ends)" "status=4 status=5 status=0 status=6 " "until the child has ended"
is "$(dump -n process:start | grep -c '"/bin/true"\]')" 1 \
	"which has started a program"
is "$(bridges)" 0 "no shared memory is left"

# The first process of a pid namespace, its parent's death being nothing to it.
if ! unshare -pf true 2>/dev/null; then
	skip "another pid namespace" "unshare does not work here" 2
	exit 0
fi
# shellcheck disable=SC2016 # for the other shell
run -- sh -c 'echo pid $$; exec unshare -pf "$@"' sh \
	"$victim" wait 65534 fifo >out 2>err &
front=$!
wait_for grep -q ready out
read -r _ pid <out
kill -9 "$pid"
wait $front
is "$(status dump)" 1 "another pid namespace: the log is not complete"
: >fifo
wait_for is_complete || wait_for is_complete
ok $? "until the namespace has ended"
