#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --flame and --dot: the picture has all that the log says, each box
# is worth what is above it and itself, and nothing in names becomes markup; the
# graph has each process and its parent.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 38

cat >check.py <<'END'
import collections, os, re, subprocess, sys
import xml.etree.ElementTree as ElementTree
from report import Log, report, run, say

log = Log(sys.argv[1])
page = run(os.environ["PTRACE_REPORT"], "--flame", "out.svg", sys.argv[1])
say("no page without a view", page, "")
picture = ElementTree.parse("out.svg").getroot()
SVG = "{http://www.w3.org/2000/svg}"
boxes = {}
for g in picture.iter(SVG + "g"):
    rect = g.find(SVG + "rect")
    boxes[int(g.get("data-n"))] = {
        "parent": int(g.get("data-p")), "depth": int(g.get("data-d")),
        "total": int(g.get("data-total")), "self": int(g.get("data-self")),
        "x": float(rect.get("x")), "width": float(rect.get("width")),
        "name": g.find(SVG + "title").text.rpartition("  ")[0]}
below = collections.defaultdict(list)
for number, box in boxes.items():
    if number:
        below[box["parent"]].append(box)
say("a box is worth itself and what is above it",
    [box for number, box in boxes.items() if box["total"] != box["self"] +
     sum(child["total"] for child in below[number])], [])
scale = 1180 / max(1, boxes[0]["total"])
say("and as wide", [box for box in boxes.values()
                    if abs(box["width"] - box["total"] * scale) > 0.01], [])
say("boxes are above the one that they are part of",
    [box for number, box in boxes.items() for child in below[number]
     if child["depth"] != box["depth"] + 1 or child["x"] < box["x"] - 0.01 or
     child["x"] + child["width"] > box["x"] + box["width"] + 0.02], [])
say("the largest first", [box for number, box in boxes.items() if [
    child["total"] for child in below[number]
    if "narrower" not in child["name"]] != sorted(
        (child["total"] for child in below[number]
         if "narrower" not in child["name"]), reverse=True)], [])
texts = " ".join(text.text for text in picture.iter(SVG + "text") if text.text)
if sys.argv[2] == "stacks":
    stacks = [e for e in log.events if e.get("stack") and e.get("dur")]
    say("the root is the time of all calls with stacks", boxes[0]["total"],
        sum(e["dur"] for e in stacks))
    say("so says the title", "wall time of calls" in texts, True)
    by_program = collections.Counter()
    for e in stacks:
        by_program[e["label"][0] or "?"] += e["dur"]
else:
    calls = report("--calls", sys.argv[1])["rows"]
    say("the root is the time of all calls", boxes[0]["total"],
        sum(row["self"] or 0 for row in calls))
    say("so says the title", "wall time of calls" in texts, True)
    by_program = None
if by_program:
    got = collections.Counter()
    for box in below[0]:
        got[box["name"]] += box["total"]
    say("programs", got, by_program)
else:
    say("programs", {box["name"] for box in below[0]
                     if "narrower" not in box["name"]} - {
                         p.program() for p in log.processes.values()}, set())
say("nothing from elsewhere", re.findall(
    r"(?:href|src|url|import)\W", open("out.svg").read()), [])
END
record_make -e process,file,io
checks "times of libc" check.py log times
run -r 'libc:*' sort project/Makefile >/dev/null
checks functions check.py log times
run -k -e process,file sh -c 'cat /none; ls / >/dev/null' 2>err
checks stacks check.py log stacks

run -k -l 'libc:qsort' -l 'libc:str*' sort project/Makefile >/dev/null
report --flame - | sed -n 's/.*-self="\([1-9][0-9]*\)"><title>\([a-z]*\) (.*/\2 \1/p' |
	awk '{ n[$1] += $2 } END { for (i in n) print i, n[i] }' | sort >titles
"$PTRACE_DUMP" -f json log |
	sed -n 's/.*"name":"call:enter".*"function":"\([^"]*\).*/\1/p' |
	sort | uniq -c | awk '{ print $2, $1 }' >functions
is "$(cat titles)" "$(cat functions)" \
	"on top of a stack is the function that is called"
is "$(stat -c %a out.svg)" 600 "nobody else may read it"
like "$(report --flame out.svg --events)" '^ *COUNT\*' "with a view there is a page, too"
cp log copy
is "$(status "$PTRACE_REPORT" --flame copy log) $(wc -l <err)" "2 2" \
	"not into a log"
cmp -s log copy
ok $? "which is as before"
cp /bin/true './<img onerror=x>&"'
run -k -e process,file './<img onerror=x>&"'
report --flame - >nasty.svg
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("nasty.svg")' &&
	! grep -q '<img' nasty.svg
ok $? "a name that looks like markup"
"$PTRACE_RUN" -q --suspended -o none true
"$PTRACE_REPORT" --flame - none | python3 -c '
import sys, xml.dom.minidom
xml.dom.minidom.parseString(sys.stdin.buffer.read())'
ok $? "a log without events"

# The graph.
run sh -c 'true; sh -c "exit 3" "\"]; x [label=\"a\\n"; exec sh -c :'
report --dot - >graph
cat >dot.py <<'END'
import re, sys
from report import Log, say
log = Log(sys.argv[1])
nodes, edges = {}, []
for line in open("graph"):
    node = re.fullmatch(r'  p(\d+) \[label="((?:[^"\\]|\\.)*)"(.*)\];\n', line)
    edge = re.fullmatch(r"  p(\d+) -> p(\d+);\n", line)
    if node:
        pid = int(re.search(r"\\npid (\d+)  wall ", node.group(2)).group(1))
        nodes[node.group(1)] = pid
    if edge:
        edges.append(edge.groups())
say("each process", sorted(nodes.values()), sorted(log.processes))
say("and its parent", sorted((nodes[a], nodes[b]) for a, b in edges),
    sorted((p.parent.pid, p.pid) for p in log.processes.values() if p.parent))
END
checks graph dot.py log
like "$(cat graph)" 'exit 3", color=red\];' "what failed is red"
is "$(grep -cvE '^(digraph processes \{|  rankdir=LR;|  node \[.*\];|  p[0-9]+ (\[.*\]|-> p[0-9]+);|\})$' graph)" \
	0 "nothing but nodes and arrows"
