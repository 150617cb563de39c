#!/bin/sh
# SPDX-License-Identifier: MIT
# What calls are in, where functions are left by exceptions: what a handler calls
# is in its function, which the compiler may have put in two places.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CXX=${CXX:-c++}
need "${CXX%% *}" awk nm
todo_coverage "counters of gcov within the functions"
plan 4
thrown=$abs_top_srcdir/t/run/functions-thrown.cc

# nested: "DEPTH NAME" of the calls, of which the first is the outermost.
nested() {
	"$PTRACE_DUMP" --indent log | awk '
		/ start / { from = index($0, " start ") + 1 }
		/[a-z~]\(\)/ {
			call = substr($0, from)
			sub(/\(\).*/, "", call)
			depth = match(call, /[^ ]/) - 1
			print depth / 2, substr(call, depth + 1)
		}'
}

cat >expected <<'END'
0 main
1 outer
2 Catches::Catches
3 middle
4 Kept::Kept
5 step
4 thrower
4 Kept::~Kept
5 step
3 step
3 step
2 middle
3 Kept::Kept
4 step
3 thrower
3 Kept::~Kept
4 step
2 step
2 step
1 step
END

for flags in -O1 -O2; do
	# shellcheck disable=SC2086
	$CXX $flags -o thrown "$thrown"
	is "$(run -e process:start,call -f '*' ./thrown)" 1000 "$flags: runs"
	nested >got
	is "$(diff expected got)" "" "$flags: what handlers call"
done
