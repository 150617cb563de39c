#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --calls --tree: each path of calls has a line, with the times that
# --calls has in all; what there is no room for is said, recursion ends, and where
# no returns are recorded calls are counted.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 45

cat >check.py <<'END'
import collections, sys
from report import Log, report, run, say

got = report("--calls", "--tree", sys.argv[1])
rows = got["rows"]
calls = report("--calls", sys.argv[1])["rows"]
say("measure", got["measure"], sys.argv[2])
below = collections.defaultdict(list)
for row in rows:
    below[row["parent"]].append(row)
say("numbers are in order, callers first",
    [row["number"] for row in rows if row["parent"] >= row["number"]], [])
say("a call is one deeper than its caller",
    [row for row in rows for child in below[row["number"]]
     if child["depth"] != row["depth"] + 1], [])
say("total is self and what is below", [row for row in rows if
    (row["total"] or 0) != (row["self"] or 0) +
    sum(child["total"] or 0 for child in below[row["number"]])], [])
say("the largest first", [row for row in rows if
    [child["total"] or 0 for child in below[row["number"]]] != sorted(
        (child["total"] or 0 for child in below[row["number"]]),
        reverse=True)], [])
# What a child calls before its program is known is below a program of its own.
paths = [(row["parent"], row["function"]) for row in rows if row["parent"]]
say("each path once", len(set(paths)), len(paths))
def sums(rows, key):
    counter = collections.Counter()
    for row in rows:
        counter[row["function"]] += row[key] or 0
    return {name: n for name, n in counter.items() if n}
if got["measure"] == "wall":
    say("calls of each function as in --calls", sums(rows, "calls"),
        sums(calls, "calls"))
    say("and their own time", sums(rows, "self"), sums(calls, "self"))
else:
    say("all calls", sum(row["self"] for row in rows),
        sum(row["calls"] for row in calls))
    say("of programs", below[0][0]["function"], sys.argv[3])

top = report("--calls", "--tree", "--top", "7", sys.argv[1])["rows"]
paths = [row for row in top if not row["more"]]
say("--top: so many paths", len(paths), min(7, len(rows)))
say("the largest", sorted(row["total"] or 0 for row in paths),
    sorted(row["total"] or 0 for row in rows)[-7:])
say("with their callers", {row["parent"] for row in top} -
    {row["number"] for row in paths}, {0})
after = collections.defaultdict(int)
for row in top:
    after[row["parent"]] += row["total"] or 0
say("and the rest in one line", [row for row in paths if
    after[row["number"]] + (row["self"] or 0) != (row["total"] or 0)], [])
END
record_make -e 'all,!call'
checks make check.py log wall
run -r 'libc:*' -e file,io sort project/Makefile >/dev/null
checks functions check.py log wall

tree() {
	"$PTRACE_REPORT" --calls --tree "$@" | sed '1,/FUNCTION/d; /^lost/d'
}
# f calls f, which calls g, where it is fork()'s turn, and open()'s; then h, from
# which nothing returns.
"$VICTIMS/victim-mklog" nested <<'END'
1000 1 1 0 27 0 i:0 i:0 s:/bin/x s:/ s:x
1000 1 1 0 240 0 x:0x1000 s:f s:lib s:
1000 1 1 0 240 0 x:0x2000 s:g s:lib s:
1000 1 1 0 240 0 x:0x3000 s:fork s:lib s:
1000 1 1 0 240 0 x:0x4000 s:open s:lib s:
1000 1 1 0 240 0 x:0x5000 s:h s:lib s:
1000 1 1 0 241 0 x:0x1000
1100 1 1 0 241 0 x:0x1000
1200 1 1 0 241 0 x:0x2000
1200 1 1 0 245 0 x:0x3000
1250 1 1 0 241 0 x:0x4000
1350 1 1 0 242 0 x:0x4000 x:0
1400 1 1 0 242 0 x:0x2000 x:0
1500 1 1 0 242 0 x:0x1000 x:0
2000 1 1 0 242 0 x:0x1000 x:0
2100 1 1 0 241 0 x:0x5000
2200 1 1 0 241 0 x:0x2000
2300 1 1 0 242 0 x:0x2000 x:0
END
is "$(tree nested)" "\
1.10us      -      -  x
1.00us  800ns      2  | f
 200ns  100ns      1  | \` g
 100ns  100ns      1  |   | open
     -      -      1  |   \` fork
100ns+      -      1  \` h
 100ns  100ns      1    \` g
no end seen: 1 process, 2 calls" "recursion, a function without a return, no end"
is "$(tree --top 3 nested)" "\
1.10us      -      -  x
1.00us  800ns      2  | f
 200ns  100ns      1  | \` g
 100ns      -      -  |   \` (2 more)
 100ns      -      -  \` (1 more)
4 more: --top N
no end seen: 1 process, 2 calls" "--top 3"

# a and b call each other, 500 deep.
{
	echo "1000 1 1 0 27 0 i:0 i:0 s:/bin/x s:/ s:x"
	echo "1000 1 1 0 240 0 x:0x1000 s:a s:lib s:"
	echo "1000 1 1 0 240 0 x:0x2000 s:b s:lib s:"
	seq 250 | awk '{ print 1000 + $1, "1 1 0 241 0 x:0x1000"
		print 1000 + $1, "1 1 0 241 0 x:0x2000" }'
	seq 250 | awk '{ print 2000 + $1, "1 1 0 242 0 x:0x2000 x:0"
		print 2000 + $1, "1 1 0 242 0 x:0x1000 x:0" }'
} | "$VICTIMS/victim-mklog" deep
is "$("$PTRACE_REPORT" --json --calls --tree deep | python3 -c '
import json, sys
report = json.load(sys.stdin)
last = report["rows"][-1]
print(len(report["rows"]), last["depth"], last["function"], last["calls"],
      report["rows"][0]["total"], report["is_deeper"], report["is_full"])')" \
	"200 200 [deeper] 302 1249 True False" "calls too deep to be told apart"
like "$(tree deep)" '^\[deeper\]: calls inside of 200 others' "so says the page"

# Without returns.
cat >entries.c <<'END'
#define FUNCTION __attribute__((noinline)) int
FUNCTION leaf(int n) { return n + 1; }
FUNCTION odd(int n);
FUNCTION even(int n) { return n == 0 ? leaf(n) : odd(n - 1) + 1; }
FUNCTION odd(int n) { return n == 0 ? leaf(n) : even(n - 1) + 1; }
FUNCTION sum(int n) { return n == 0 ? 0 : sum(n - 1) + n; }
int main(void)
{
	return sum(9) + even(9) + leaf(1) != 57;
}
END
cc -O0 -fno-inline -pg -o entries entries.c || exit 1
run -e process,call ./entries
checks entries check.py log calls entries
is "$(tree log | awk '{ print $1, $2, $NF == "(entries)" ? $(NF - 1) : $NF }' |
	tail -n +3)" "\
23 1 main
11 1 even
10 5 odd
4 4 even
1 1 leaf
10 10 sum
1 1 leaf" "paths end where functions call each other in a circle"
run -k -e process,call ./entries
like "$(tree log)" '^ *10 +10 +[| ]*\| sum \(entries\)$' "with call stacks"

# usage_error WHY OPTION...
usage_error() {
	why=$1
	shift
	is "$(status "$PTRACE_REPORT" "$@" log) $(sed -n 1p err)" \
		"2 ptrace-report: --tree: $why" "wrong usage: $*"
}
usage_error "only with --calls" --tree
usage_error "not with --sort, --callers or --diff" --calls --tree --callers
head -c $(($(wc -c <log) / 2)) log >piece
is "$(status "$PTRACE_REPORT" --calls --tree piece) $(wc -l <err)" "1 1" \
	"half a log: status 1, one line"
