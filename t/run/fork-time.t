#!/bin/sh
# SPDX-License-Identifier: MIT
# process:fork stands at the time of the call: no event of a child is before it,
# however the child was made, also of one that is killed at once, beside load.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 9

# forks HOW N: how many forks there are of children made so; each event of a child
# that is before its fork, and each fork that is not between the calls of malloc()
# that its parent has around it (of raw ones nobody knows).
forks() {
	run -e all "$VICTIMS/victim-fork-time" "$1" "$2" || echo "victim: $?"
	dump -f json >events || echo "dump: $?"
	awk -v how="$1" '
	function number(name) {
		if (!match($0, "\"" name "\":[0-9]+"))
			return -1
		return substr($0, RSTART + length(name) + 3) + 0
	}
	{
		t = number("t")
		if (t < last)
			print "back in time: " $0
		last = t
	}
	/"name":"posix_trace_/ { next }
	/"name":"process:start"/ && !main { main = number("pid") }
	!main { next }
	/"name":"process:fork"/ {
		n++
		if (number("pid") != main)
			print "not by the parent: " $0
		is_born[number("child")] = 1
		if (mallocs != 2 * n - 1 && how != "raw")
			print "not where it was called: " $0
	}
	/"mem:malloc".*"size":100,/ && number("pid") == main { mallocs++ }
	number("pid") != main && !is_born[number("pid")] {
		print "before its fork: " $0
	}
	END { print n " forks" }' events | head -n 5
}

for how in fork vfork clone shared raw spawn killed; do
	n=100
	[ $how != fork ] || n=1000
	is "$(forks $how $n)" "$n forks" "$how"
done

# Beside load.
sh -c 'while :; do :; done' &
one=$!
sh -c 'while :; do :; done' &
two=$!
is "$(forks vfork 300)" "300 forks" "vfork, beside load"
is "$(forks killed 300)" "300 forks" "killed at once, beside load"
kill $one $two
wait $one $two 2>/dev/null
true
