#!/bin/sh
# SPDX-License-Identifier: MIT
# How large a log may be, root's tracer knows by itself: not by the memory that
# it shares with the user whom it traces.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"
plan 4

# children: how many processes have been begun in our namespace.
children() {
	cut -d ' ' -f 5 /proc/loadavg
}

# limited OPTION...: a log of 8 MiB, of a process that does more than that: its
# children some 13 KiB each.
limited() {
	begin -e all -m 8M "$@"
	hostile append || diag "no trace to be changed"
	since=$(children)
	wait_for sh -c "[ \"\$(cut -d ' ' -f 5 /proc/loadavg)\" -gt $((since + 2000)) ]"
	finish
	size=$(stat -c %s log)
	[ "$size" -gt 4000000 ] && [ "$size" -lt 9000000 ]
	ok $? "$1 $2: 8 MiB" || diag "$size bytes"
	is "$finished, $(reads), $(valid)" "0, ok, ok" "$1 $2: a log"
}

limited --log-policy until-full
limited --log-policy loop
