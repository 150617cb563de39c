#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls around lost events: a loss ends those calls whose end it may have hidden,
# and no others.  What is shown is what a script knows that made the log.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 50

# A log by chance: calls of a few functions, each in another one, some with an
# event at their begin that says how long they take, some with one at their end;
# and losses, from one moment to another.
cat >make.py <<'END'
import random
import sys

NAMES = "abcdef"
CALLEE = {name: 0x1000 * (i + 1) for i, name in enumerate(NAMES)}


class Call:
    def __init__(self, name, is_told, begin):
        self.name = name
        self.is_told = is_told
        self.begin = begin
        self.end = None
        self.inside = []


def make_calls(chance, depth, clock):
    calls = []
    for _ in range(chance.randrange(1, 4)):
        call = Call(chance.choice(NAMES), chance.random() < 0.6, next(clock))
        if depth > 0:
            call.inside = make_calls(chance, depth - 1, clock)
        call.end = next(clock)
        calls.append(call)
    return calls


def flatten(calls):
    for call in calls:
        yield call
        yield from flatten(call.inside)


def make(seed):
    """All calls, and the losses."""
    chance = random.Random(seed)
    clock = iter(range(10000, 10**9, 100))
    calls = list(flatten([call for _ in range(6)
                          for call in make_calls(chance, 4, clock)]))
    end = next(clock)
    losses = []
    for _ in range(seed % 5 + 1):
        begin = chance.randrange(10000, end) // 100 * 100 + 50
        losses.append((begin, begin + chance.randrange(1, 12) * 100))
    losses.sort()
    losses = [each for i, each in enumerate(losses)
              if i == 0 or losses[i - 1][1] < each[0]]
    return calls, losses, end


def is_lost(losses, at):
    return any(begin <= at < end for begin, end in losses)


def lines(seed):
    calls, losses, end = make(seed)
    for call in calls:
        callee = "x:%#x" % CALLEE[call.name]
        if not is_lost(losses, call.begin):
            yield call.begin, 0, "1 1 0 241 0 " + callee
        if is_lost(losses, call.end):
            continue
        if call.is_told:
            yield call.end, 0, "1 1 0 252 0 %s x:0 @%d" % (callee, call.begin)
        else:
            yield call.end, 0, "1 1 0 242 0 %s x:0" % callee
    for begin, until in losses:
        yield begin, 0, "9 9 0 5 0"
        yield until, 0, "9 9 0 6 0"
    for i, name in enumerate(NAMES):
        yield 1000, i, "1 1 0 240 0 x:%#x s:%s s:lib s:" % (CALLEE[name], name)
    yield 900, 0, "1 1 0 27 0 i:1 i:0 s:/bin/lost s:/ s:lost"
    yield end, 0, "1 1 0 20 0 i:0"


if __name__ == "__main__":
    for at, _, line in sorted(lines(int(sys.argv[1]))):
        print(at, line)
END

cat >check.py <<'END'
import collections
import sys
from make import NAMES, is_lost, make
from nests import report, say, say_sound, slices, tree

calls, losses, _ = make(int(sys.argv[1]))
timed, no_end = [], collections.Counter()
for call in calls:
    begins = not is_lost(losses, call.begin)
    ends = not is_lost(losses, call.end)
    is_torn = any(call.begin < begin < call.end for begin, _ in losses)
    if ends and (call.is_told or (begins and not is_torn)):
        timed.append(call)
    elif begins:
        no_end[call.name] += 1

def around(call):
    """The innermost one around it that has a time."""
    return max((each for each in timed
                if each.begin < call.begin and call.end < each.end),
               key=lambda each: each.begin, default=None)

def path(call):
    outer = around(call)
    return (path(outer) if outer else ()) + (call.name,)

total, self = collections.Counter(), collections.Counter()
for call in timed:
    took = call.end - call.begin
    self[call.name] += took
    if around(call):
        self[around(call).name] -= took
    if call.name not in path(call)[:-1]:
        total[call.name] += took
nr = collections.Counter(call.name for call in timed)
say("there are both", bool(timed) and bool(no_end), True)
rows = {row["function"]: row for row in report("--calls", "log")["rows"]}
say("as many as there are, and without an end",
    {name: (rows[name]["calls"], rows[name]["no_end"]) for name in NAMES},
    {name: (nr[name] + no_end[name], no_end[name]) for name in NAMES})
say("in all", {name: rows[name]["total"] for name in NAMES},
    {name: total[name] for name in NAMES})
say("by themselves", {name: rows[name]["self"] for name in NAMES},
    {name: self[name] for name in NAMES})
say_sound("log")
in_tree = collections.Counter()
for row in tree("log").values():
    in_tree[row["function"]] += row["self"] or 0
say("so in the tree", {name: in_tree[name] for name in NAMES},
    {name: self[name] for name in NAMES})
found, _ = slices("log")
first = min(each.begin for each in found) - 900
drawn = {(each.name, each.begin - first): each for each in found}
at = {(call.name, call.begin): call for call in timed}
def drawn_path(each):
    return (drawn_path(each.outer) if each.outer else ()) + (
        (each.name,) if (each.name, each.begin - first) in at else ())
say("chrome has them as long as they took",
    {key: drawn[key].end - first for key in at if key in drawn},
    {key: call.end for key, call in at.items()})
say("and in what they were in", {
    key: drawn_path(drawn[key]) for key in at if key in drawn},
    {key: path(call) for key, call in at.items()})
END

for seed in 1 2 3 4 5; do
	python3 make.py "$seed" | "$VICTIMS/victim-mklog" log
	checks "seed $seed" check.py "$seed"
done
