#!/bin/sh
# SPDX-License-Identifier: MIT
# Each thread's start and end is in the trace however it ends, and threads
# that outlive main() do no harm.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 10

same "kinds of threads" "$VICTIMS/victim-threads" kinds
is "$(events thread:start)" 5 "each start is recorded"
is "$(events thread:exit)" 5 "each end is recorded"
sed -n 's/.*"tid":\([0-9]*\),.*"name":"thread:start".*"tid":\([0-9]*\)}.*/\1 \2/p' \
	"$T/json" >"$T/tids"
is "$(awk '$1 != $2' "$T/tids" | wc -l)" 0 "by the thread itself"
same "a thousand threads" "$VICTIMS/victim-threads" many
is "$(events thread:start)" 1000 "a thousand starts"
is "$(events thread:exit)" 1000 "a thousand ends"
bad=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	run_traced "$VICTIMS/victim-threads" busy
	[ "$(cat "$T/traced.status")" = 3 ] || bad=$((bad + 1))
done
is $bad 0 "busy threads at exit, ten times"
is "$(events process:exit '"status":3')" 1 "and the exit is recorded"
is "$(events thread:exit)" 0 "the threads did not end by themselves"
