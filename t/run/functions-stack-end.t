#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions where a thread's stack ends: a handler that looks at where that was,
# as OCaml's does for its Stack_overflow, finds the program and none of us; and no
# call is missing.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}"
plan 14

# shellcheck disable=SC2086
$CC -O2 -pthread -o end "$abs_top_srcdir/t/run/functions-stack-end.c"

# calls: of deep() in the log.
calls() {
	"$PTRACE_REPORT" --calls log | awk '$NF == "deep" { print $1 }'
}

for does in overflow grow; do
	is "$(status ./end "$does")" 0 "$does: without us"
	is "$(status run -e call -f deep ./end "$does")" 0 "$does: runs"
	is "$(calls)" "$(cat out)" "$does: each call is recorded"
	is "$(status run -e call -k -f deep ./end "$does")" 0 "$does: with stacks"
	is "$(calls)" "$(cat out)" "$does: each call is recorded, too"
	is "$(status run -c -f deep ./end "$does")" 0 "$does: summed up"
	is "$(calls)" "$(cat out)" "$does: each call is counted"
done
