#!/bin/sh
# SPDX-License-Identifier: MIT
# Entries of functions without returns (-pg): nothing is in them, as nobody knows
# how long they last.  They are beside each other, in the calls that do have an
# end, whose times are what they are without any entries.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
plan 22

cat >entries.c <<'END'
#define FUNCTION __attribute__((noinline)) int
int outer(int (*)(int), int), leaf(int);
FUNCTION bottom(int n) { return leaf(n) + 1; }
FUNCTION odd(int n);
FUNCTION even(int n) { return n == 0 ? bottom(n) : odd(n - 1) + 1; }
FUNCTION odd(int n) { return n == 0 ? bottom(n) : even(n - 1) + 1; }
FUNCTION sum(int n) { return n == 0 ? leaf(n) : sum(n - 1) + n; }
int main(void)
{
	for (int i = 0; i < 4; i++)
		sum(i), outer(even, i), leaf(i);
	return 0;
}
END
cat >calls.c <<'END'
int leaf(int x) { return x; }
int outer(int (*f)(int), int x) { return f(x) + f(x + 1); }
END
{
	cc -O1 -fPIC -shared -o libcalls.so calls.c &&
		cc -O0 -pg -o entries entries.c ./libcalls.so
} >cc.out 2>&1 || skip_all "$(head -n 1 cc.out)"

# What has an end is nested by time; an entry is in what has begun and not ended
# when it is recorded.
cat >check.py <<'END'
import collections
import json
import os
from nests import calls_by_time, indented, report, run, say, say_sound, slices

ENTRIES = {"main", "bottom", "odd", "even", "sum"}
calls, no_end = calls_by_time("log", {"leaf", "outer"})
def depth_of(call):
    return depth_of(call.outer) + 1 if call.outer else 0
want = [(call.begin, call.name, depth_of(call)) for call in calls]
nr = collections.Counter(call.name for call in calls)
for line in run(os.environ["PTRACE_DUMP"], "-f", "json", "log").split("\n"):
    event = json.loads(line) if line else {}
    name = event.get("args", {}).get("function")
    if event.get("name") == "call:enter" and name in ENTRIES:
        at = event["t"]
        want.append((at, name, sum(call.begin < at < call.end
                                   for call in calls)))
        nr[name] += 1
want.sort(key=lambda each: each[0])
say("there are entries", ENTRIES <= set(nr), True)
say("calls that were told of have an end", dict(no_end), {})
lines = [line for line in indented("log") if line.name in nr]
say("text: in what they are in",
    sorted((line.name, line.depth) for line in lines),
    sorted((name, depth) for _, name, depth in want))
say("without a time", [line for line in lines if line.name in ENTRIES and
                       (line.took or line.is_open)], [])
found, _ = slices("log")
drawn = collections.Counter(each.name for each in found)
say("chrome: moments, not slices", [name for name in ENTRIES if drawn[name]],
    [])
say("the others are slices", {name: drawn[name] for name in nr
                              if name not in ENTRIES},
    {name: nr[name] for name in nr if name not in ENTRIES})
rows = {row["function"]: row for row in report("--calls", "log")["rows"]}
say("the report counts them", {name: rows[name]["calls"] for name in nr},
    dict(nr))
say("and knows no time of them", [name for name in ENTRIES
                                  if rows[name]["total"] is not None], [])
took = collections.Counter()
for call in calls:
    took[call.name] += call.took()
    if call.outer:
        took[call.outer.name] -= call.took()
say("others' own time", {name: rows[name]["self"] for name in took},
    dict(took))
say_sound("log")
END
run -r leaf -r outer -e process,dl,call ./entries
checks "with calls that have an end" check.py

# Only entries: the same, and nothing is in anything.
cat >alone.py <<'END'
import collections
import json
import os
from nests import indented, report, run, say, say_sound, slices

ENTRIES = {"main", "bottom", "odd", "even", "sum"}
nr = collections.Counter()
for line in run(os.environ["PTRACE_DUMP"], "-f", "json", "log").split("\n"):
    event = json.loads(line) if line else {}
    if event.get("name") == "call:enter":
        nr[event["args"]["function"]] += 1
say("there are entries", set(nr), ENTRIES)
lines = [line for line in indented("log") if line.name in nr]
say("text has them", collections.Counter(line.name for line in lines), nr)
say("all of one depth", len({line.depth for line in lines}), 1)
say("no end was missed", [line for line in lines if line.is_open], [])
say("chrome: moments", [each for each in slices("log")[0]
                        if each.name in nr], [])
rows = {row["function"]: row for row in report("--calls", "log")["rows"]}
say("the report counts them", {name: row["calls"]
                               for name, row in rows.items()}, dict(nr))
say("and knows no time", [name for name in rows
                          if rows[name]["total"] is not None], [])
say_sound("log")
END
run -e process,dl,call ./entries
checks "alone" alone.py
