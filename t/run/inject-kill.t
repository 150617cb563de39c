#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject: kill it at any moment, and the process goes on as if it had not been.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
[ "$(id -u)" = 0 ] || skip_all "ptrace may be for parents only: not root"
plan 4
victim=$VICTIMS/victim-inject
monitor=$abs_top_builddir/libexec/libptrace/ptrace-monitor
unset LD_PRELOAD

# one WAY THREADS N: killed at the N-th stop; false: it was done before that.
# What the process said is added to $T/said.
one() {
	rm -f input output
	mkfifo input output
	"$victim" "$1" "$2" <input >output &
	pid=$!
	exec 5>input 6<output
	echo one >&5
	read -r _ <&6
	"$victim" kill "$3" "$monitor" --inject -q -o log -p $pid 2>/dev/null
	killed=$?
	echo two >&5
	exec 5>&-
	said=$(cat <&6)
	wait $pid
	echo "$? $said" >>said
	exec 6<&-
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
	diag "killed at $(wc -l <said) of $low steps"
	[ "$(wc -l <said)" -gt 60 ]
	ok $? "$3: it was killed"
	is "$(sort -u said)" "3 two" "$3: nothing was noticed"
}

all 0 0 "in read"
all 4 2 "asleep, beside threads that are in malloc()"
