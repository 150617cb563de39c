#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report without a view: what it says of time, programs, failures and
# waits is what the events say.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 41

cat >check.py <<'END'
import collections, signal, sys
from report import Log, report, say

log = Log(sys.argv[1])
got = report(sys.argv[1])
say("wall", got["wall"], log.wall)
say("events", got["events"], len(log.events))
say("processes", got["processes"], len(log.processes))
cpu = [p.exit["user_us"] + p.exit["sys_us"] for p in log.processes.values()
       if "sys_us" in p.exit]
say("cpu", got["cpu"], sum(cpu) * 1000)

def alone(p, begin, end):
    """How long, of this time, no child of p lived: by all that begins or ends."""
    children = [c for c in log.processes.values() if c.parent is p]
    turns = sorted({begin, end} | {t for c in children
                                   for t in (c.begin, c.end)
                                   if begin < t < end})
    return sum(b - a for a, b in zip(turns, turns[1:])
               if not any(c.begin <= a and c.end >= b for c in children))
walls = collections.Counter()
selfs = collections.Counter()
runs = collections.Counter()
for p in log.processes.values():
    images = p.images or [(p.program(), p.begin)]
    ends = [image[1] for image in images[1:]] + [p.end]
    for (program, begin), end in zip(images, ends):
        walls[program] += end - begin
        selfs[program] += alone(p, begin, end)
        runs[program] += 1
say("programs", {row["program"]: (row["wall"], row["runs"])
                 for row in got["rows"]},
    {program: (walls[program], runs[program]) for program in walls})
say("self", {row["program"]: row["self"] for row in got["rows"]}, dict(selfs))
say("sorted by self", [row["self"] for row in got["rows"]],
    sorted(selfs.values(), reverse=True))

failures = collections.Counter()
waits = collections.defaultdict(list)
for e in log.events:
    if e["own"]:
        continue
    if "errno" in e["args"]:
        failures[e["name"], e["args"]["errno"], e["label"][0]] += 1
    if e["family"] in ("file", "io", "sync", "time", "net") and \
            e.get("dur", 0) > 0:
        waits[e["name"], e["label"][0]].append(e["dur"])
for p in log.processes.values():
    if p.exit.get("signal"):
        name = signal.Signals(p.exit["signal"]).name
        failures["process:exit", name, p.program()] += 1
    elif p.exit.get("status"):
        failures["process:exit", "status not 0", p.program()] += 1
say("failures", {(row["event"], row["error"], row["program"]): row["count"]
                 for row in got["failures"]}, dict(failures))
sums = collections.defaultdict(lambda: [0, 0, 0])
for row in got["waits"]:
    wait = sums[row["event"], row["program"]]
    wait[0] += row["calls"]
    wait[1] += row["total"]
    wait[2] = max(wait[2], row["longest"])
say("waits", {key: tuple(value) for key, value in sums.items()},
    {key: (len(durs), sum(durs), max(durs)) for key, durs in waits.items()})

def at_work(time):
    """By the definition: those that live and have no child that does."""
    live = [p for p in log.processes.values() if p.begin <= time < p.end]
    return sum(1 for p in live if not any(c.parent is p for c in live))

turns = sorted({0, log.wall} | {t for p in log.processes.values()
                                for t in (p.begin, p.end)})
busy = [(at_work(a), b - a) for a, b in zip(turns, turns[1:])]
say("at work, in all", got["at_work"]["sum"], sum(n * t for n, t in busy))
say("at work, at most", got["at_work"]["max"],
    max((n for n, t in busy), default=0))
say("at work, by slot", sum(got["at_work"]["slots"]), got["at_work"]["sum"])
END

record_make -e 'process,thread,file,io'
checks make check.py log
run -e 'all,!call' sh -c 'cat /none | sort; (exit 3); (exit 4); kill -SEGV $$' 2>err
checks killed check.py log

# The page.
record_make -e 'process,file,io'
# shellcheck disable=SC2119
report >page
like "$(sed -n 1p page)" '^make -s -j2$' "the command comes first"
like "$(sed -n 2p page)" \
	'^[0-9.]+m?s wall   [0-9.]+m?s CPU \([0-9.]+ at a time\)   [0-9]+ processes   [0-9 ]+ events$' \
	"then the sums"
like "$(cat page)" '^ *[0-9.]+m?s .* 0 +make\[[0-9]+\] -s -j2$' "the tree"
like "$(cat page)" '^ *[0-9.]+m?s .* 0 +[|`] cc\[[0-9]+\] ' "is indented"
like "$(cat page)" '^ *[0-9.]+m?s .* cc and [12] more \(' "and folded"
like "$(cat page)" '^at work  .* mean [0-9.]+, at most [0-9]+ at a time$' \
	"how many were at work"
like "$(tail -n 1 page)" '^families not recorded: net sync time ' \
	"what is not recorded is said"
[ "$(LC_ALL=C tr -d '\n -~' <page | wc -c)" = 0 ]
ok $? "ASCII in the C locale"
LC_ALL=C.UTF-8 "$PTRACE_REPORT" log >utf8
like "$(cat utf8)" '├ cc' "lines in UTF-8"
COLUMNS=72 "$PTRACE_REPORT" log >narrow
[ "$(awk 'length > 72' narrow | wc -l)" = 0 ] && grep -q '\.\.\.$' narrow
ok $? "COLUMNS: lines are cut"
[ "$(grep -c "$(printf '\033')" page)" = 0 ]
ok $? "no colours in a file"
cp log newest.ptlog
is "$("$PTRACE_REPORT" 2>err)" "$(cat page)" "without a log: the newest"
like "$(cat err)" '^ptrace-report: reading newest\.ptlog$' \
	"which is said"

run sh -c 'exit 0' '' 'a b' plain
# shellcheck disable=SC2119
is "$(report | sed -n 1p)" "sh -c 'exit 0' '' 'a b' plain" \
	"arguments that are no single word are in quotes"
run sh -c 'exec sort -o sorted sorted' 2>err
# shellcheck disable=SC2119
is "$(report | sed -n 1p)" "sh -c 'exec sort -o sorted sorted'" \
	"the command as it was started, also if it executes another"
is "$(report --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
print(report["program"], report["arguments"])')" \
	"sh -c 'exec sort -o sorted sorted'" "in JSON, too"

# Which of those that are folded failed: the first three.
{
	echo '1000 10 10 0 27 0 i:1 i:0 s:/bin/make s:/src s:make'
	for pid in 21 22 23 24 25 26 27; do
		echo "${pid}000 10 10 0 17 0 i:$pid"
		echo "${pid}001 $pid $pid 0 27 0 i:10 i:0 s:/bin/cc s:/src s:cc s:-c"
	done
	echo '30000 22 22 0 20 0 i:1'
	echo '30001 23 23 0 20 0 i:0'
	echo '30002 24 24 0 21 0 i:11'
	echo '30003 25 25 0 20 0 i:3'
	echo '30004 26 26 0 20 0 i:4'
	echo '30005 27 27 0 20 0 i:0'
	echo '90000 21 21 0 20 0 i:5'
	echo '90001 10 10 0 20 0 i:0'
} >events
"$VICTIMS/victim-mklog" log <events
like "$(report)" '4 failed .* and 6 more \(.*; failed: \[22\] 1, \[24\] SIGSEGV, \[25\] 3 and 1 more\)' \
	"which of the folded failed"
