#!/bin/sh
# SPDX-License-Identifier: MIT
# A process in a time namespace, whose clock is another, is not taken for dead by
# those outside, nor are they by those inside.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need unshare
may=
[ "$(id -u)" = 0 ] || may="unshare -Ur"
for boottime in 100000 -3; do
	$may unshare -T --boottime $boottime --fork true 2>/dev/null ||
		skip_all "no time namespaces here"
done
export may
plan 4
mkfifo there go

# A trace that is begun, and ended, looks at all processes.
for boottime in 100000 -3; do
	export boottime
	# shellcheck disable=SC2016
	run sh -c '$may unshare -T --boottime $boottime --fork sh -c "
			\"\$PTRACE_RUN\" -q -o inside /bin/true
			echo >there; read -r _ <go; exit 4"
		exit 5' &
	front=$!
	read -r _ <there
	"$PTRACE_RUN" -q -o outside true
	echo >go
	wait $front
	is "$?" 5 "$boottime s: the program's status"
	is "$(dump -n process:exit | grep -c -w 'signal=0')" 0 \
		"$boottime s: nobody is taken for dead"
done
