#!/bin/sh
# SPDX-License-Identifier: MIT
# Spans of programs: what ptrace-dump's text, JSON, chrome and perfetto say of
# them, and ptrace-report; also where one is ended in another thread or process,
# in another order, or never, since its program was killed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 34

cat >check.py <<'END'
import json, os, sys
from report import Log, ns, report, run, say

log = Log(sys.argv[1])
killed = sys.argv[2] == "killed"
begins, ends = {}, {}
stray = 0
for e in log.events:
    if e["name"] == "span:begin":
        begins[e["args"]["span"]] = e
    elif e["name"] == "span:end" and "dur" in e:
        ends[e["args"]["span"]] = e
    elif e["name"] == "span:end":
        stray += 1
opened = [e for e in log.events if e["name"] == "span:open"]
missing = [b for n, b in begins.items() if n not in ends]
say("an end says how long", [e["dur"] for e in ends.values()],
    [ns(e["ts"]) - ns(begins[n]["ts"]) for n, e in ends.items()])
say("and again what it is", [e["args"] for e in ends.values()],
    [begins[n]["args"] for n in ends])
say("typed data are fields",
    sorted((b["args"]["number"], b["args"]["path"]) for b in begins.values()
           if b["args"]["type"] == "request"),
    [(1, "/inner"), (2, "/thread"), (3, "/child")])
say("others are data", sorted(b["args"]["data"] for b in begins.values()
                              if b["args"]["type"] == "phase"),
    ["first"] + ["last"] * killed + ["outer", "second"])
say("in which thread it ended", sorted(
    (begins[n]["args"].get("path"), begins[n]["pid"] == e["pid"],
     begins[n]["tid"] == e["tid"]) for n, e in ends.items()
    if begins[n]["args"]["type"] == "request"),
    [("/child", False, False), ("/inner", True, True),
     ("/thread", True, False)])
say("those without an end are open",
    [(e["args"], e["ts"]) for e in opened],
    [(b["args"], b["ts"]) for b in missing])
say("ends of nothing have no duration", stray, 0 if killed else 2)
say("how long they were open", [e["dur"] for e in opened], [
    max(ns(x["ts"]) for x in log.events) - ns(e["ts"]) for e in opened])

rows = {r["span"]: r for r in report("--spans", sys.argv[1])["rows"]}
for name in "phase", "request":
    durs = [e["dur"] for e in ends.values() if e["args"]["type"] == name]
    say("the report's row of " + name,
        [rows[name][k] for k in ("count", "open", "total", "max")],
        [sum(b["args"]["type"] == name for b in begins.values()),
         sum(b["args"]["type"] == name for b in missing) or None,
         sum(durs), max(durs)])
one, two = sorted((b for b in begins.values()
                   if b["args"].get("path") in ("/thread", "/child")),
                  key=lambda b: ns(b["ts"]))
say("what is in another counts for that alone", rows["request"]["self"],
    rows["request"]["total"] + ns(two["ts"]) -
    min(ns(ends[b["args"]["span"]]["ts"]) for b in (one, two)))
say("the default report has them, too",
    [r["span"] for r in report(sys.argv[1])["spans"]],
    [r["span"] for r in report("--spans", sys.argv[1])["rows"]])

chrome = json.loads(run(os.environ["PTRACE_DUMP"], "-f", "chrome",
                        sys.argv[1]))["traceEvents"]
stacks, drawn, crossed = {}, {}, 0
order = {"e": 0, "b": 1}
asides = [o for o in chrome if o["ph"] in order]
for o in sorted(asides, key=lambda o: (o["ts"], order[o["ph"]])):
    stack = stacks.setdefault(o["id"], [])
    if o["ph"] == "b":
        stack.append(o)
    else:
        b = stack.pop()
        crossed += b["name"] != o["name"]
        drawn[o["args"]["span"]] = round((o["ts"] - b["ts"]) * 1000)
say("chrome draws them", drawn, {n: e["dur"] for n, e in ends.items()})
say("nested", crossed, 0)
say("and those that are open", sum(map(len, stacks.values())), len(opened))
END

run "$VICTIMS/victim-spans"
checks ends check.py log ends
"$PTRACE_DUMP" log >text
is "$(grep -c 'end request number=1 path="/inner"' text)" 1 "text: an end"
is "$(grep -c 'still open' text)" 0 "none is open"

run "$VICTIMS/victim-spans" killed
checks killed check.py log killed
"$PTRACE_DUMP" log >text
is "$(grep -c 'still open at the end: phase "last" of victim-spans\[[0-9]*\], since ' text)" 1 \
	"text: what was open when it was killed"
is "$("$PTRACE_DUMP" --until 0.000001 log | grep -c 'still open')" 0 \
	"nothing is, where the end is not read"
