#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject: kill it at any moment, and the process goes on as if it had not been;
# and so it does if a signal comes to it at any moment.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/piped.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(id -u)" = 0 ] || skip_all "ptrace may be for parents only: not root"
plan 8
victim=$VICTIMS/victim-inject
monitor=$TAP_MONITOR
unset LD_PRELOAD

# one WAY THREADS N: killed at the N-th stop, or by $how=break the process gets a
# signal then; false: it was done before that.  What the process said is added to
# $T/said.
one() {
	begin "$victim" "$1" "$2"
	ask one
	case $how in
	kill) set -- "$1" "$2" kill "$3" ;;
	break) set -- "$1" "$2" break "$3" $pid ;;
	esac
	shift 2
	"$victim" "$@" "$monitor" --inject -q -o log -p $pid 2>/dev/null
	killed=$?
	echo two >&5
	finish
	echo "${got##* } ${got% *}" >>said
	return $killed
}

# all WAY THREADS NAME: at each of the first steps, at some in the middle, where
# the loader is at work, and at the last ones.
all() {
	rm -f said
	low=1
	while [ $low -le 45 ] && one "$1" "$2" $low; do
		low=$((low + 1))
	done
	high=$low
	while one "$1" "$2" $high; do
		high=$((high + 29))
	done
	low=$((high - 29))
	while one "$1" "$2" $low; do
		low=$((low + 1))
	done
	diag "$how: at $(wc -l <said) of $low steps"
	[ "$(wc -l <said)" -gt 40 ]
	ok $? "$3: at every moment"
	too_early=$(grep -c "noticed" said)
	[ "$too_early" -gt "$may_be_early" ] || sed -i '/noticed/d' said
	is "$(sort -u said)" "3 two" "$3: nothing was noticed"
}

may_be_early=0
how="kill"
all 0 0 "in read"
all 4 2 "asleep, beside threads that are in malloc()"

# What it waited in ends by a signal that its handler gets, and only by that.
how="break"
all 2 0 "signals, in poll"
# The kernel does not begin this one again.  In the last two requests, of two
# steps each, it is as if the signal had come just before the call.
may_be_early=4
all 1 0 "signals, in epoll_wait"
