#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples of a log that somebody else wrote: sums of any numbers end at the
# largest that there is, and are not below 0.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 3
most=9223372036854775807

# Types 48, 49 and 50: samples, how many in a second, and losses.
"$VICTIMS/victim-mklog" log <<END
1 7 7 1 49 0 i:999 i:16384 i:0 s:cpu-clock s:
2 7 7 1 48 0x1001 i:0 i:$most i:2
3 7 7 1 48 0x1001 i:0 i:$most i:2
4 7 7 1 48 0x1001 i:0 i:$most i:2
5 7 7 1 50 0 i:$most
6 7 7 1 50 0 i:$most
7 7 7 1 50 0 i:$most
END
is "$("$PTRACE_REPORT" --cpu --json log 2>err | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(report["samples"], report["samples_cut"], report["samples_lost"])
for row in report["rows"]:
	print(row["self"], row["total"])')" "$most $most $most
$most $most" "sums are the largest number"
is "$(cat err)" "" "without a word"
is "$("$PTRACE_REPORT" --cpu log | grep -c -e '-[0-9]')" 0 "and none is negative"
