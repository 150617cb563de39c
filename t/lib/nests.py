# SPDX-License-Identifier: MIT
"""What the tests of nested calls compute themselves: the slices that a viewer
makes of an export to Chrome's format, and which of them is in which."""
import collections
import decimal
import json
import os
import re

from report import report, run, say


class Slice:
    def __init__(self, name, begin, outer):
        self.name = name
        self.begin = begin
        self.end = None
        self.outer = outer

    def path(self):
        return (self.outer.path() if self.outer else []) + [self.name]

    def __repr__(self):
        return "/".join(self.path())


def ns(us):
    return int(us * 1000)


def slices(*options):
    """All slices, and what is wrong: a viewer sorts by time, and an end is that
    of the newest begin."""
    with_exact = {"parse_float": decimal.Decimal}
    export = json.loads(run(os.environ["PTRACE_DUMP"], "-f", "chrome",
                            *options), **with_exact)
    tracks, found, wrong = {}, [], []
    for each in export["traceEvents"]:
        if each["ph"] in "BEX":
            tracks.setdefault((each["pid"], each["tid"]), []).append(each)
    for track in tracks.values():
        stack = []
        for each in sorted(track, key=lambda each: each["ts"]):
            at = ns(each["ts"])
            while stack and stack[-1].end is not None and stack[-1].end <= at:
                stack.pop()
            if each["ph"] == "E":
                if not stack or stack[-1].end is not None:
                    wrong.append(("end without a begin", each))
                    continue
                stack.pop().end = at
                continue
            new = Slice(each["name"], at, stack[-1] if stack else None)
            found.append(new)
            stack.append(new)
            if each["ph"] == "X":
                new.end = at + ns(each["dur"])
        wrong += [("begin without an end", each) for each in stack
                  if each.end is None]
    wrong += [("ends after what it is in", each) for each in found
              if each.outer and None not in (each.end, each.outer.end) and
              each.end > each.outer.end]
    return found, wrong


def tree(log):
    """The rows of the report's tree, by the path of names."""
    rows, by_number = {}, {}
    for row in report("--calls", "--tree", log)["rows"]:
        outer = by_number.get(row["parent"])
        row["path"] = (outer["path"] if outer else ()) + (row["function"],)
        row["outer"] = outer
        by_number[row["number"]] = rows[row["path"]] = row
    return rows


def say_sound(log):
    """What holds for each log, whatever its calls are."""
    say("each begin has its end, and they are nested", slices(log)[1], [])
    got = report("--calls", "--tree", log)
    say("no call is longer than what it is in", [
        path for path, row in tree(log).items()
        if row["outer"] and (row["total"] or 0) > (row["outer"]["total"] or 0)],
        [])
    say("nor is its own time longer than all of it", [
        row["function"] for row in
        got["rows"] + report("--calls", log)["rows"]
        if (row["self"] or 0) > (row["total"] or 0)], [])
    return got


Line = collections.namedtuple("Line", "depth name took is_open")


def indented(log):
    """The calls in text, the outermost of depth 0."""
    lines = []
    for line in run(os.environ["PTRACE_DUMP"], "--indent", log).split("\n"):
        match = re.match(r" *[0-9.]+ +([0-9.]+\S+)? +\S+\]( +)(\w+)\(", line)
        if match:
            lines.append(Line(len(match.group(2)) // 2, match.group(3),
                              match.group(1), "no end seen" in line))
    least = min((line.depth for line in lines), default=0)
    return [line._replace(depth=line.depth - least) for line in lines]
