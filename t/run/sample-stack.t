#!/bin/sh
# SPDX-License-Identifier: MIT
# How much of a stack is looked at for a sample (--sample-stack): the outermost
# frames of a deeper one are missing, which is marked and counted.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
need_rules
need_samples

# Frames of some 1 KiB.
cat >wide.c <<'END_C'
#include <stdlib.h>
static volatile unsigned long sum;
__attribute__((noinline)) static int down(int n)
{
	volatile char room[1024];

	room[0] = room[1023] = (char)n;
	for (long i = 0; n == 0 && i < 200000000; i++)
		sum += i;
	return (n == 0 ? 0 : down(n - 1)) + room[0];
}
int main(int argc, char **argv)
{
	return down(atoi(argv[1])) == 1 << 30;
}
END_C
$CC -O1 -g -w -fno-optimize-sibling-calls -o wide wide.c ||
	skip_all "the program cannot be built"
plan 11

# sampled: "MANY WHOLE CUT": of 100 samples so many; of what computes, not of
# what loads it.
sampled() {
	"$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
modes = [e["args"]["mode"] for e in map(json.loads, sys.stdin)
	 if e.get("sym", "").startswith("down")]
cut = sum(mode & 2 for mode in modes) // 2
print(len(modes) > 20, cut == 0, cut == len(modes), len(modes), cut)'
}

run --sample ./wide 25
like "$(sampled)" '^True True False' "25 KiB are looked at"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'stack=49152' "as is said"
run --sample --sample-stack=16K ./wide 25
like "$(sampled)" '^True False True' "--sample-stack=16K: they are not"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'stack=16384' "as is said"
like "$("$PTRACE_REPORT" --cpu log)" 'of [0-9]+ samples the outer end' "which the report counts"
run --sample ./wide 55
like "$(sampled)" '^True False True' "55 KiB are not"
run --sample --sample-stack=65528 ./wide 55
like "$(sampled)" '^True True False' "--sample-stack=65528: they are"
run -e cpu --sample-stack=1025 ./wide 3
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'stack=1032' "words are copied"
like "$(sampled)" '^True False True' "of a smaller one"

rm -f log
PTRACE_EVENTS=cpu PTRACE_SAMPLE_STACK=16K PTRACE_OUTPUT="$T/log" \
	LD_PRELOAD="$LIBPTRACE" ./wide 25
# shellcheck disable=SC2016 # a command for another shell
wait_for sh -c '"$PTRACE_DUMP" --info log 2>&1 | grep -q "^log-state: *complete"'
like "$(sampled)" '^True False True' "PTRACE_SAMPLE_STACK"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'stack=16384' "in the log, too"
