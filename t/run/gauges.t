#!/bin/sh
# SPDX-License-Identifier: MIT
# Gauges and counters that programs record: ptrace-report sums them up, as ptrace-dump
# shows them; the page, chrome and perfetto have them as curves.  What a shell has
# ptrace-event record is the shell's, and Python makes the same types.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 36

cat >check.py <<'END'
import json, os, sys
from report import Log, report, run, say

log = Log(sys.argv[1])
marks = {"pool.busy": "gauge", "pool.share": "gauge", "pool.grown": "counter",
         "request.bytes": "counter", "odd": "gauge"}
values, totals, series = {}, {}, []
for e in log.events:
    name = e["args"]["type"] if e["name"] == "span:begin" else e["name"]
    for key, value in e["args"].items():
        title = name if key == "value" else name + "." + key
        if title not in marks or e["name"] == "span:end" or \
                not isinstance(value, (int, float)):
            continue
        values.setdefault(title, []).append((e["pid"], value))
        total = value
        if marks[title] == "counter":
            total += totals.get((e["pid"], title), 0)
        totals[e["pid"], title] = total
        series.append((e["pid"], title, total))
say("all are there", sorted(values), sorted(marks))
say("what is no number is left out", len(values["odd"]), 1)

whole = report("--values", sys.argv[1])
rows = {r["name"]: r for r in whole["rows"]}
say("the report's rows", sorted(rows), sorted(marks))
say("which kind each is", {n: r["kind"] for n, r in rows.items()}, marks)
for title, mark in sorted(marks.items()):
    numbers = [v for _, v in values[title]]
    row, total = rows[title], sum(numbers)
    say(title, [row[k] for k in ("count", "min", "mean", "max", "last", "sum",
                                 "processes")],
        [len(numbers), min(numbers), total / len(numbers), max(numbers)] +
        ([numbers[-1], None] if mark == "gauge" else [None, total]) +
        [len({pid for pid, _ in values[title]})])
    say(title + ": per second", row["rate"], None if mark == "gauge" else
        total * 1e9 / whole["wall"])
say("the default report has them, too",
    [(r["name"], r["value"]) for r in report(sys.argv[1])["values"]],
    [(r["name"], r["value"]) for r in whole["rows"]])

chrome = json.loads(run(os.environ["PTRACE_DUMP"], "-f", "chrome",
                        sys.argv[1]))["traceEvents"]
say("chrome has each as it is from then on",
    [(o["pid"], o["name"], o["args"]["value"]) for o in chrome
     if o["ph"] == "C"], series)
END

run "$VICTIMS/victim-gauges"
checks values check.py log
like "$("$PTRACE_DUMP" -n pool log | head -n 1)" \
	' pool busy=0 share=(-0|0) grown=0 name="pool" ' "text: fields as any other"
is "$(dump -w 'busy >= 6' -n pool | wc -l)" 6 "and -w finds them"
like "$("$PTRACE_REPORT" --values log | grep ' pool.grown')" \
	'^ *41 +0 +1\.0[0-9]+ +5 +- +44 +[0-9.]+ +counter +pool.grown$' "the report's text"
like "$("$PTRACE_REPORT" --values --diff log log)" '5 rows with a change below 2%' \
	"a log does not differ from itself"

# A log may say that of any field.
LC_ALL=C sed 's/gaugx/gauge/; s/countex/counter/' log >foreign
like "$("$PTRACE_DUMP" --info --types foreign)" ' strange text:s.gauge more:b.counter' \
	"a log with strange gauges"
is "$("$PTRACE_REPORT" --values foreign)" "$("$PTRACE_REPORT" --values log)" \
	"which are none"

# Perfetto's, by protobuf's own decoder.
if lacks protoc protoc "perfetto: tracks" "perfetto: values"; then :; else
	"$PTRACE_DUMP" -f perfetto log | protoc --decode=Trace \
		-I "$abs_top_srcdir/t/run" perfetto.proto >decoded 2>why
	is "$(grep -B 3 'counter {' decoded | grep -c -E \
		'name: "(pool\.busy|pool\.share|pool\.grown|request\.bytes|odd)"')" 9 \
		"perfetto: a track for each, in each process" || diag "$(cat why)"
	is "$(grep -c '    double_counter_value: ' decoded)" \
		"$("$PTRACE_DUMP" -f chrome log | grep -c '"ph":"C"')" \
		"perfetto: as many values as in chrome"
fi

# The page.
if lacks node node "page: curves" "page: a gauge" "page: a counter"; then :; else
	"$PTRACE_REPORT" --html page.html log
	node "$abs_top_srcdir/t/lib/page.js" --values page.html >told 2>&1
	is "$(grep -c . told)" 9 "page: a curve for each, in each process" ||
		diag "$(cat told)"
	is "$(grep -c 'gauge pool.busy at most 6 tells pool.busy: [0-6] at .*s, at most 6$' told)" \
		1 "page: a gauge" || diag "$(cat told)"
	is "$(grep -c 'counter request.bytes at most .* tells request.bytes: .* within .*, 1.*024 in all$' told)" \
		1 "page: a counter" || diag "$(cat told)"
fi

# From shells.
PATH=${PTRACE_EVENT%/*}:$PATH
# shellcheck disable=SC2016 # for another shell
run -e process sh -c 'echo $$ >pid; ptrace-event --gauge jobs=3 load=0.5
	(ptrace-event --counter done=2); : "$(ptrace-event --counter done=3 x=y=1e3)"
	ptrace-event --gauge=jobs=-1'
is "$(report --values --json | sed 's/.*"rows"//' | tr '{' '\n' | sed -n \
	's/"count":\([0-9]*\),"min":\([-0-9.]*\),.*"last":\([^,]*\),"sum":\([^,]*\),.*"name":"\([^"]*\)".*"processes":\([0-9]*\)}.*/\5 \1 \2 \3 \4 \6/p' | sort)" \
	"done 2 2 null 5 1
jobs 2 -1 -1 null 1
load 1 0.5 0.5 null 1
x=y 1 1000 null 1000 1" "ptrace-event: what a shell has recorded is one's"
is "$("$PTRACE_DUMP" -f chrome log | sed -n 's/.*"ph":"C","pid":\([0-9]*\),.*/\1/p' |
	sort -u)" "$(cat pid)" "namely the shell's"
is "$(status "$PTRACE_EVENT" --gauge a=1 --counter)" 2 "usage"
is "$(head -n 1 err)" "ptrace-event: --gauge: --counter: not NAME=VALUE with a number" \
	"one that has no value"
is "$(for word in a a= a=x a=nan 'a= 1' a=1x; do
	"$PTRACE_EVENT" --counter "$word" 2>/dev/null || echo $?; done | uniq -c |
	tr -d ' ')" 62 "values that are none"
is "$("$PTRACE_EVENT" --gauge io:x=1 2>&1 | head -n 1)" \
	"ptrace-event: io:x: such names are those of libptrace's own events" \
	"no name of ours"
is "$("$PTRACE_EVENT" --gauge a=1 b=2; echo $?)" 0 "where nobody traces"
cat >python.py <<'END'
import os
import ptrace
ptrace.gauge("queue", 2)
ptrace.counter("done")
ptrace.counter("done", 2 ** 40)
ptrace.gauge("queue", "none")
os.system("ptrace-event --gauge queue=1.5")
ptrace.gauge("done", 3)
END
PYTHONPATH=$abs_top_srcdir/scripts
is "$(python3 python.py 2>&1)" "" "Python: where nobody traces"
run -e process python3 python.py
is "$(dump -f json -n queue -n 'done' | sed 's/.*"args"://')" '{"value":2}}
{"value":1}}
{"value":1099511627776}}
{"value":1.5}}' "Python: as ptrace-event's" || diag "$(dump -n queue -n 'done')"
