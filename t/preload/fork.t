#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever made a process, it works as untraced and is told of once, by its
# parent's name; a child of the bare system call records in its own.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 8

same "each kind of child" "$VICTIMS/victim-fork"
for status in 11 12 13 17; do
	is "$(events process:exit "\"status\":$status")" 1 \
		"child that ends with $status"
done
is "$(events process:exit '"signal":9')" 1 "child that was killed"
events process:exit '"status":16' >/dev/null
child=$(sed -n 's/.*"pid":\([0-9]*\),.*/\1/p' "$T/found")
is "$(events thread:start "\"pid\":${child:-none},")" 100 \
	"the bare child's events are its own"

# exits ARGS: the pid of the process that ended so.
exits() {
	events process:exit "$1" >/dev/null
	sed -n 's/.*"pid":\([0-9]*\),.*/\1/p' "$T/found" | head -n 1
}
for end in '"status":11' '"status":12' '"status":13' '"status":16' \
	'"status":17' '"signal":9'; do
	child=$(exits "$end")
	events process:fork "\"child\":${child:-none}\}"
done >"$T/forks"
is "$(tr '\n' ' ' <"$T/forks")" "1 1 1 1 1 1 " "each is announced once"
