#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --calls: how often and how long, of functions and calls of libc,
# as the events say: with what they call and without, also in recursion, where
# no end was seen, and where only ends are recorded.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 35

cat >check.py <<'END'
import collections, sys
from report import Log, report, say

log = Log(sys.argv[1])
got = report("--calls", "--callers", sys.argv[1])
rows = {(row["library"], row["function"]): row for row in got["rows"]}

# Each call: [thread, order, begin, end or None, key, failed, site]
calls = []
open_calls = collections.defaultdict(list)
for order, e in enumerate(log.events):
    if e["own"]:
        continue
    thread = e["pid"], e["tid"]
    site = e["site"]
    if (e["family"] in ("file", "io", "mem", "net", "sync", "time") or
        e["name"] in ("process:prlimit", "process:sched_setaffinity",
                      "process:sched_getaffinity",
                      "signal:sigaction")) and \
            "dur" in e:
        failed = "errno" in e["args"]
        calls.append([thread, order, e["at"], e["at"] + e["dur"],
                      ("libc", e["name"]), failed, site])
    elif e["name"] == "call:enter":
        key = e["args"].get("library"), e["args"]["function"]
        call = [thread, order, e["at"], None, key, None, site]
        calls.append(call)
        open_calls[thread].append(call)
    elif e["name"] == "call:exit":
        key = e["args"].get("library"), e["args"]["function"]
        stack = open_calls[thread]
        if key in [call[4] for call in stack]:
            while stack[-1][4] != key:
                stack.pop()
            call = stack.pop()
            if e["id"] >= 252:  # it comes with the begin
                call[2] = e["at"]
            call[3] = call[2] + e["dur"]

# By the definition: inside of a call is what begins in it, in its thread.
selfs, totals = collections.Counter(), collections.Counter()
for thread in {call[0] for call in calls}:
    stack = []
    for call in sorted((c for c in calls if c[0] == thread),
                       key=lambda c: c[1]):
        stack = [c for c in stack if c[3] is None or c[3] > call[2]]
        if call[3] is not None:
            selfs[call[4]] += call[3] - call[2]
            if stack and stack[-1][3] is not None:
                selfs[stack[-1][4]] -= call[3] - call[2]
            if call[4] not in [c[4] for c in stack]:
                totals[call[4]] += call[3] - call[2]
        if call[3] is not None:
            stack.append(call)

durs = collections.defaultdict(list)
numbers, fails, sites = (collections.Counter() for i in range(3))
for thread, order, begin, end, key, failed, site in calls:
    numbers[key] += 1
    fails[key] += bool(failed)
    if site:
        sites[key, site] += 1
    if end is not None:
        durs[key].append(end - begin)
say("functions", sorted(rows, key=str), sorted(numbers, key=str))
say("calls", {key: rows[key]["calls"] for key in rows}, dict(numbers))
say("total", {key: rows[key]["total"] for key in rows},
    {key: totals[key] if durs[key] else None for key in rows})
say("self", {key: rows[key]["self"] for key in rows},
    {key: selfs[key] if durs[key] else None for key in rows})
say("max", {key: rows[key]["max"] for key in rows},
    {key: max(durs[key], default=None) for key in rows})
def is_near(got, durs, permille):
    want = sorted(durs)[max(0, -(-len(durs) * permille // 1000) - 1)]
    return abs(got - want) <= want * 0.032 + 1
say("p50", [key for key in rows if durs[key] and
            not is_near(rows[key]["p50"], durs[key], 500)], [])
say("p99", [key for key in rows if durs[key] and
            not is_near(rows[key]["p99"], durs[key], 990)], [])
say("err", {key: rows[key]["err"] for key in rows},
    {key: fails[key] if ":" in key[1] and key[0] == "libc" else None
     for key in rows})
named = {(key, caller["site"]): caller["calls"] for key in rows
         for caller in rows[key]["callers"]}
say("callers", {key: named.get(key) for key in sites}, dict(sites))
say("their times add up", {key: sum(
    caller["total"] or 0 for caller in rows[key]["callers"]) for key in rows},
    {key: rows[key]["total"] or 0 for key in rows})
say("sorted by self",
    [row["self"] for row in got["rows"] if row["self"] is not None],
    sorted((row["self"] for row in got["rows"] if row["self"] is not None),
           reverse=True))
END
record_make -e 'all,!call'
checks make check.py log
run -r 'libc:*' -e file,io sort project/Makefile >/dev/null
checks functions check.py log

# f calls f, which calls open; then g is left by a jump to f's caller, and exit
# does not return.  1: f; 2: g; 3: exit.
row() {
	"$PTRACE_REPORT" --json --calls "$1" | python3 -c '
import json, sys
report = json.load(sys.stdin)
for row in sorted(report["rows"], key=lambda row: row["function"]):
    print(row["function"], row["calls"], row["total"], row["self"],
          row["max"], row["no_end"], sep=" ", end=";")
print(report["no_end_calls"])'
}
"$VICTIMS/victim-mklog" nested <<'END'
1000 1 1 0 240 0 x:0x1000 s:f s:lib s:
1000 1 1 0 240 0 x:0x2000 s:g s:lib s:
1000 1 1 0 240 0 x:0x3000 s:exit s:lib s:
1000 1 1 0 241 0 x:0x1000
1100 1 1 0 241 0 x:0x1000
1300 1 1 0 242 0 x:0x1000 x:0
1400 1 1 0 241 0 x:0x2000
2000 1 1 0 242 0 x:0x1000 x:0
2100 1 1 0 241 0 x:0x3000
2200 1 1 0 242 0 x:0x9999 x:0
END
is "$(row nested)" "exit 1 None None None 1;f 2 1000 1000 1000 0;g 1 None None None 1;2" \
	"recursion counts once; calls without an end have no time"
is "$("$PTRACE_REPORT" --json --calls --callers nested | python3 -c '
import json, sys
print([[caller["total"] for caller in row["callers"]]
       for row in json.load(sys.stdin)["rows"] if row["function"] == "f"])')" \
	"[[1000]]" "for its callers, too"
like "$("$PTRACE_REPORT" --calls nested)" '^ +>=1 +- +- +- +- +- +- +lib +exit$' \
	"what is not known is a dash"
like "$("$PTRACE_REPORT" --calls nested)" '^no end seen: 2 calls$' "and counted"
# f calls fork, of which only the entry is recorded, then g for 100.
"$VICTIMS/victim-mklog" behind <<'END'
1000 1 1 0 240 0 x:0x1000 s:f s:lib s:
1000 1 1 0 240 0 x:0x2000 s:fork s:lib s:
1000 1 1 0 240 0 x:0x3000 s:g s:lib s:
1000 1 1 0 241 0 x:0x1000
1100 1 1 0 241 0 x:0x2000
1200 1 1 0 241 0 x:0x3000
1300 1 1 0 242 0 x:0x3000 x:0
1500 1 1 0 242 0 x:0x1000 x:0
END
is "$(row behind)" "f 1 500 400 500 0;fork 1 None None None 1;g 1 100 100 100 0;1" \
	"what is called inside of a call without an end is not its caller's own"
"$VICTIMS/victim-mklog" entered <<'END'
1000 1 1 0 240 0 x:0x1000 s:f s:lib s:
1100 1 1 0 241 0 x:0x1000
1200 1 1 0 241 0 x:0x1000
1300 1 1 0 21 0 i:9
END
is "$(row entered)" "f 2 None None None 2;0" \
	"without exit events (-l) calls are counted"
# f calls f twice, which call f, then exit, which does not return: neither does
# the first.  The second inner f is left by a jump.
"$VICTIMS/victim-mklog" inner <<'END'
900 1 1 0 240 0 x:0x1000 s:f s:lib s:
900 1 1 0 240 0 x:0x3000 s:exit s:lib s:
1000 1 1 0 241 0 x:0x1000
1100 1 1 0 241 0 x:0x1000
1150 1 1 0 241 0 x:0x1000
1160 1 1 0 242 0 x:0x1000 x:0
1300 1 1 0 242 0 x:0x1000 x:0
1400 1 1 0 241 0 x:0x1000
1500 1 1 0 241 0 x:0x1000
1600 1 1 0 242 0 x:0x1000 x:0
1700 1 1 0 241 0 x:0x3000
END
is "$(row inner)" "exit 1 None None None 1;f 5 300 300 200 2;3" \
	"calls inside of those without an end count"
is "$("$PTRACE_REPORT" --json --calls --callers inner | python3 -c '
import json, sys
print([[caller["total"] for caller in row["callers"]]
       for row in json.load(sys.stdin)["rows"] if row["function"] == "f"])')" \
	"[[300]]" "for its callers, too"
# After a loss an end may be another call's: f from 1000 to 2000 it is not.
"$VICTIMS/victim-mklog" lost <<'END'
900 1 1 0 240 0 x:0x1000 s:f s:lib s:
1000 1 1 0 241 0 x:0x1000
1500 9 9 0 5 0
1600 9 9 0 6 0
2000 1 1 0 242 0 x:0x1000 x:0
2100 1 1 0 241 0 x:0x1000
2200 1 1 0 242 0 x:0x1000 x:0
END
is "$(row lost)" "f 2 100 100 100 1;1" "a call that was open at a loss has no time"
# --min-duration: f took 1000 until 2000; in it g from 1200 to 1500.
"$VICTIMS/victim-mklog" took <<'END'
900 1 1 0 240 0 x:0x1000 s:f s:lib s:
900 1 1 0 240 0 x:0x2000 s:g s:lib s:
1500 1 1 0 252 0 x:0x2000 x:0 @1200
2000 1 1 0 252 0 x:0x1000 x:0 @1000
END
is "$(row took)" "f 1 1000 700 1000 0;g 1 300 300 300 0;0" \
	"where only ends are recorded (--min-duration)"
# As of a program compiled with -pg.
"$VICTIMS/victim-mklog" begins <<'END'
900 1 1 0 240 0 x:0x1000 s:f s:lib s:
1000 1 1 0 241 0 x:0x1000
END
like "$("$PTRACE_REPORT" --calls begins)" "no returns were recorded: ptrace-run -r and" \
	"where only begins are, it says how to have ends"
is "$("$PTRACE_REPORT" --calls took | grep -c "no returns")" 0 "not where they are"
"$VICTIMS/victim-mklog" exits <<'END'
900 1 1 0 240 0 x:0x1000 s:main s:lib s:
1000 1 1 0 241 0 x:0x1000
1100 1 1 0 20 0 i:0
END
like "$("$PTRACE_REPORT" --calls exits)" "^no function returned, or " \
	"which is true also if nothing returned"
