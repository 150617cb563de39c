#!/bin/sh
# SPDX-License-Identifier: MIT
# A daemon: ptrace-run returns with the command, and the log becomes complete
# when the daemon has ended.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 10

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
