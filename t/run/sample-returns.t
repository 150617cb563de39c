#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples of a program whose calls are recorded with their returns (-r): functions
# return to code of ours on the way, which is no frame of the stack; it reaches the
# outermost frame as without -r.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
need_rules
need_samples

# Computes within calls of libc that are recorded: of main(), by the program's
# start, and of a comparison, by qsort(), at two depths.
cat >within.c <<'END_C'
#include <stdlib.h>
static volatile unsigned long sum;
static int numbers[2][2];
__attribute__((noinline)) static void leaf(void)
{
	for (long i = 0; i < 30000000; i++)
		sum += i;
}
__attribute__((noinline)) static int compare(const void *a, const void *b)
{
	leaf();
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static int outer(const void *a, const void *b)
{
	qsort(numbers[1], 2, sizeof(int), compare);
	return *(const int *)a - *(const int *)b;
}
int main(void)
{
	for (int i = 0; i < 5; i++)
		qsort(numbers[0], 2, sizeof(int), outer);
	return 0;
}
END_C
$CC -O1 -g -w -fno-optimize-sibling-calls -o within within.c ||
	skip_all "the program cannot be built"
plan 5

# stacks: those of leaf, each once, that 10 samples or more have.
stacks() {
	"$PTRACE_DUMP" -f folded log |
		sed -n 's/^within;\(.*;leaf\) [0-9][0-9]$\|^within;\(.*;leaf\) [0-9]*[0-9][0-9]$/\1\2/p' |
		sort -u
}

# whole: of the samples of leaf, how many in 100 reach the outermost frame.
whole() {
	"$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
modes = [e["args"]["mode"] for e in map(json.loads, sys.stdin)
	 if e.get("sym", "").startswith("leaf")]
good = sum(mode == 0 for mode in modes)
# The process may have ended when the last ones are looked at.
print(len(modes) > 40, good >= 0.9 * len(modes), good, len(modes))'
}

run --sample ./within
stacks >without
like "$(cat without)" ';main;.*;outer;.*;compare;leaf$' "without -r"
run -r '*' --sample ./within
like "$("$PTRACE_DUMP" -f raw -n call:exit log)" 'qsort' "calls have returns"
is "$(stacks)" "$(cat without)" "-r: the same stacks"
like "$(whole)" '^True True ' "-r: they are whole"
is "$("$PTRACE_DUMP" -f folded log | grep -c 'ptl_site')" 0 \
	"no code of ours is between"
