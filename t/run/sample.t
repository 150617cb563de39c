#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # programs of awk
# Samples of programs (ptrace-run --sample): their processor time is told by
# function, of threads, children and static programs, with whole stacks; and they
# are as without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
need_rules
need_samples

cat >hot.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/run/hot.h"

static void *work(void *arg)
{
	both(*(unsigned long *)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	const char *how = argc > 2 ? argv[2] : "";
	pthread_t thread[2];

	if (strcmp(how, "threads") == 0) {
		for (int i = 0; i < 2; i++)
			pthread_create(&thread[i], NULL, work, &n);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
	} else if (strcmp(how, "children") == 0) {
		for (int i = 0; i < 3; i++)
			if (fork() == 0)
				execl(argv[3], argv[3], argv[1], (char *)NULL);
		while (wait(NULL) > 0)
			;
	} else {
		both(n);
	}
	printf("done %s\n", how);
	return 3;
}
END
$CC -O1 -g -w -I"$abs_top_srcdir" -o hot hot.c -pthread ||
	skip_all "the program cannot be built"
$CC -O1 -g -w -I"$abs_top_srcdir" -static -o still hot.c -pthread 2>/dev/null
plan 28

# rows: lines "FUNCTION SELF TOTAL" of the report, in thousandths.
rows() {
	"$PTRACE_REPORT" --cpu --json log | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
	print(row["function"].split(" ")[0], row["self_permille"], row["total_permille"])'
}

# twofold NAME: is `twice'"'"' two thirds of both functions?  By counting there are
# some hundred samples: the bounds are four deviations or more.
twofold() {
	rows >table
	like "$(awk '$1 == "twice" { t = $2 } $1 == "once" { o = $2 }
		$1 == "both" { all = $3 }
		END { s = t / (t + o + 0.001)
			print (s > 0.52 && s < 0.8 && all > least ? "so" : "not"), s, all }' \
		least="${2-900}" table)" '^so' "$1: by function"
}

# whole NAME: 99 of 100 stacks reach the outermost frame.
whole() {
	"$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
good = sum(e["args"]["mode"] == 0 for e in events)
print(len(events) > 20 and
      len(events) - good <= max(1, len(events) // 100), good, len(events))' >whole
	like "$(cat whole)" '^True ' "$1: stacks are whole"
}

run --sample ./hot 60000000 >out 2>err
is "$?:$(cat out):$(cat err)" "3:done :" "status and output are the program's"
twofold "a program"
whole "a program"
"$PTRACE_DUMP" -f folded log >stacks
like "$(cat stacks)" '^hot;(\[[^;]*\]|_start);[^ ]*;main;both;twice [0-9]+$' \
	"folded stacks"
is "$(grep -c 'process:\|cpu:' stacks)" 0 "of samples alone"
like "$("$PTRACE_REPORT" log)" \
	'^CPU  +[0-9.]+% twice \(hot\)  [0-9.]+% once \(hot\).*\([0-9]+ samples' \
	"a line of the report"
like "$("$PTRACE_REPORT" --cpu log)" \
	'^ *SELF[^ ]* +SELF% +TOTAL +TOTAL% +FUNCTION \(MODULE\)$' "the view"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'hz=999' "how many in a second"
# Of 1 ms of processor time one: by what the kernel counted, of user mode.
"$PTRACE_DUMP" -f raw log | awk '
	/cpu:sample / { n++ }
	/process:exit/ { for (i = 1; i <= NF; i++) if ($i ~ /^user_us=/) {
		sub(/user_us=/, "", $i); us = $i } }
	END { print (n > us / 1000 * 0.8 - 5 && n < us / 1000 * 1.2 + 5), n, us }' >sum
like "$(cat sum)" '^1 ' "as many as the time that it took"

run --sample=500 ./hot 60000000 threads >/dev/null
twofold "threads"
whole "threads"
# Its first samples may be the loader's, of a thread that then waits.
like "$("$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
print(len({json.loads(line)["tid"] for line in sys.stdin}))')" '^[23]$' "two threads"

"$PTRACE_DUMP" -f chrome log | python3 -c '
import json, sys
ends, last = {}, {}
for e in json.load(sys.stdin)["traceEvents"]:
	if e["ph"] == "X" and {"end", "(no end seen)"} & e["args"].keys():
		ends[e["tid"]] = max(e["ts"] + e["dur"], ends.get(e["tid"], 0))
	elif e["name"] == "cpu:sample":
		last[e["tid"]] = max(e["ts"], last.get(e["tid"], 0))
print(len(ends), all(ends.get(tid, 0) >= at for tid, at in last.items()))' >ends
is "$(cat ends)" "3 True" "which samples do not end"

run --sample ./hot 20000000 children ./hot >out
is "$?:$(sort out | uniq -c | sed 's/^ *//')" "3:3 done 
1 done children" "children"
twofold "children"
is "$("$PTRACE_DUMP" -f json -n cpu:sample log | python3 -c '
import json, sys
print(len({json.loads(line)["pid"] for line in sys.stdin}) >= 3)')" True \
	"three processes"
like "$("$PTRACE_REPORT" log)" '^[^*]* 4 +4  hot$' "each once"

run -F -e cpu ./hot 20000000 children ./hot >/dev/null
is "$("$PTRACE_DUMP" -f raw -n cpu:sample log | grep -c 'twice')" 0 \
	"no children with -F"
run -e none --sample ./hot 20000000 >/dev/null
like "$("$PTRACE_REPORT" --cpu log)" ' twice \(hot\)$' "of -e none names are left"

if [ -x still ]; then
	run --sample ./still 60000000 >/dev/null
	twofold "a static program" -1
	"$PTRACE_DUMP" -f folded log >stacks
	like "$(cat stacks)" '^still;.*;twice [0-9]+$' "a static program has names"
else
	skip "a static program" "none can be linked" 2
fi

# Deeper than a stack of an event can be.
cat >deep.c <<'END'
#include <stdlib.h>
static volatile unsigned long sum;
__attribute__((noinline)) static void leaf(void)
{
	for (long i = 0; i < 100000000; i++)
		sum += i;
}
__attribute__((noinline)) static int down(int n)
{
	if (n == 0)
		leaf();
	return n == 0 ? 0 : down(n - 1) + !!sum;
}
int main(int argc, char **argv)
{
	return down(atoi(argv[1])) < 0;
}
END
$CC -O1 -g -w -fno-optimize-sibling-calls -o deep deep.c
run --sample ./deep 200
like "$("$PTRACE_DUMP" -f folded log)" \
	'^deep;_start;[^ ]*;main(;down){19,22};\[frames left out\](;down){38,39};leaf [0-9]+$' \
	"a deep stack: both ends are there"
whole "a deep stack"
like "$("$PTRACE_DUMP" -n cpu:sample log)" \
	'cpu:sample frames left out: 14[0-9] +at leaf' "how many are not"
like "$("$PTRACE_DUMP" -f raw -n cpu:sample log)" 'left=14' "as a field"
run --sample ./deep 20
is "$("$PTRACE_DUMP" -f folded log | grep -c 'left out')" 0 "none of a shorter one"

# Alone: what an administrator has every start import may go deeper than the part
# of the stack that is looked at.
run --sample python3 -I -S -c '
def f(n):
	return n if n < 2 else f(n - 1) + f(n - 2)
print(f(29))' >out
is "$(cat out)" 514229 "python3"
whole "python3"
