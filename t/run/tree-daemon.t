#!/bin/sh
# SPDX-License-Identifier: MIT
# A daemon: ptrace-run returns with the command, and the log becomes complete
# when the daemon has ended.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 17

mkfifo "$T/fifo"
chmod 666 "$T/fifo"

# With strace, which waits for all, somebody opens the fifo at once.
prepare() {
	: >"$T/fifo" &
}
for how in daemon twice; do
	set -- "$VICTIMS/victim-tree-daemon" $how "$T/fifo"
	execs=$(nr_execs "$@")
	run -- "$@"
	ok $? "$how: ptrace-run returns"
	is "$(status dump)" 1 "$how: the log is not complete"
	: >"$T/fifo"
	check --execs "$execs"
	ok $? "$how: then it is, with $execs images" || tree_diag
	is "$(grep -c '"process:exit".*"status":5' json)" 2 \
		"$how: the end of the daemon, and of its shell"
	is "$(status dump)" 0 "$how: nothing is missing"
done

# --wait: the daemon lives until somebody opens the fifo; so ptrace-run cannot
# end before.
set -- "$VICTIMS/victim-tree-daemon" daemon "$T/fifo"
"$PTRACE_RUN" -q --wait -o "$T/log" "$@" &
front=$!
: >"$T/fifo"
wait "$front"
is "$?" 0 "--wait: COMMAND's status"
is "$(status dump)" 0 "--wait: the log is complete when ptrace-run ends"
is "$("$PTRACE_DUMP" -f json "$T/log" | grep -c '"process:exit".*"status":5')" 2 \
	"--wait: the end of the daemon, and of its shell"
run --wait sh -c 'exit 3'
is "$?" 3 "--wait without a daemon"
run --wait sh -c 'kill -TERM $$'
is "$?" 143 "--wait: COMMAND was killed"
# The one who waits is ended; the daemon is recorded even so.
"$PTRACE_RUN" -q --wait -o "$T/log" sh -c "$1 daemon $T/fifo; echo >$T/ended" &
front=$!
wait_for test -s "$T/ended"
# At first it may hand the signal on to COMMAND, which is ending.
ends_by_it() {
	kill -TERM "$front"
	is_ended "$front"
}
wait_for ends_by_it
wait "$front"
is "$?" 143 "--wait: SIGTERM ends ptrace-run"
: >"$T/fifo"
wait_for is_complete
ok $? "... and not the trace"
