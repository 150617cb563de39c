#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject with -f and -r: kill it at any moment, and the process goes on as if it
# had not been.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/piped.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(id -u)" = 0 ] || skip_all "ptrace may be for parents only: not root"
plan 4
victim=$VICTIMS/victim-inject
unset LD_PRELOAD

# one WAY THREADS N: killed at the N-th stop; false: it was done before that.  What
# the process said is added to $T/said.
one() {
	begin "$victim" "$1" "$2"
	ask one
	"$victim" hook "$3" "$TAP_MONITOR" --inject -q -f '*' -r '*' \
		-o log -p $pid 2>/dev/null
	killed=$?
	echo two >&5
	finish
	echo "${got##* } ${got% *}" >>said
	return $killed
}

# all WAY THREADS NAME: at some steps, and at the last ones, where code is written.
all() {
	rm -f said
	high=1
	while one "$1" "$2" $high; do
		high=$((high + 41))
	done
	low=$((high - 120))
	while one "$1" "$2" $low; do
		low=$((low + 5))
	done
	diag "at $(wc -l <said) of $low steps"
	[ "$low" -gt 200 ] && [ "$(wc -l <said)" -gt 20 ]
	ok $? "$3: at many moments"
	is "$(sort -u said)" "3 two" "$3: nothing was noticed"
}
all 1 0 "in epoll_wait"
all 0 3 "in read, beside threads that work"
