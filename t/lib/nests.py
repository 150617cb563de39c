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
    """Picoseconds are there to break ties."""
    return round(us * 1000)


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
        if each["ph"] in "be":
            tracks.setdefault(("aside", each["cat"], each["id"]),
                              []).append(each)
    for track in tracks.values():
        stack = []
        for each in sorted(track, key=lambda each: (each["ts"],
                                                    -each.get("dur", 0))):
            at = ns(each["ts"])
            while stack and stack[-1].end is not None and \
                    stack[-1].exact <= each["ts"]:
                stack.pop()
            if each["ph"] in "Ee":
                if not stack or stack[-1].end is not None:
                    wrong.append(("end without a begin", each))
                    continue
                if each["ph"] == "e" and each["name"] != stack[-1].name:
                    wrong.append(("the end of another", each))
                stack.pop().end = at
                continue
            if each["ph"] == "b" and stack:
                wrong.append(("not the only one", each, stack[-1]))
            new = Slice(each["name"], at, stack[-1] if stack else None)
            found.append(new)
            stack.append(new)
            if each["ph"] == "X":
                new.exact = each["ts"] + each["dur"]
                new.end = ns(new.exact)
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


# A call of a function that is called with the number of its stack, and returns
# it: so it is known what a call is in without anything of what is tested.
class Call:
    def __init__(self, name, stack, begin, outer):
        self.name = name
        self.stack = stack
        self.begin = self.entered = begin
        self.end = None
        self.outer = outer

    def took(self):
        return None if self.end is None else self.end - self.begin

    def __repr__(self):
        return "%s(%s)" % (self.name, self.stack)


def calls_by_stack(log, names):
    """All calls of the functions; and of each event of an end what ptrace-dump
    says that it took, with what it took."""
    found, wrong, open_calls, last = [], [], {}, {}
    for line in run(os.environ["PTRACE_DUMP"], "-f", "json", log).split("\n"):
        event = json.loads(line) if line else {}
        args = event.get("args", {})
        if args.get("function") not in names or \
                event["name"] not in ("call:enter", "call:exit"):
            continue
        thread = event["tid"]
        if event["name"] == "call:enter":
            stack = args["args"][0]
            inside = open_calls.setdefault((thread, stack), [])
            call = Call(args["function"], stack, event["t"],
                        inside[-1] if inside else None)
            inside.append(call)
            found.append(call)
            last[thread] = call
            continue
        stack = args["ret"]
        inside = open_calls.setdefault((thread, stack), [])
        call = inside.pop()
        if call.name != args["function"]:
            wrong.append(("not the innermost", call, event))
        # It has the time of its begin if it is directly behind that.
        is_timed = last.get(thread) is call
        call.end = event["t"] + (event["dur"] if is_timed else 0)
        last[thread] = None
        if is_timed:
            call.begin = event["t"]
        elif event.get("dur") != call.took():
            wrong.append(("took", call.took(), event))
    return found, wrong


def pairs(log, *options):
    """Of text: what each call was called with, and what it returned."""
    text = run(os.environ["PTRACE_DUMP"], *options, log)
    return [match.group(1, 2, 3) for match in
            re.finditer(r" (\w+)\((\d+)[^)]*\) = (\d+) ", text)]


def say_stacks(log, names, is_known):
    """What holds for calls on several stacks of a thread: is_known: it can be
    known which of them ends."""
    calls, wrong = calls_by_stack(log, names)
    by_name = collections.defaultdict(list)
    for call in calls:
        by_name[call.name].append(call)
    if is_known:
        say("each end is that of its begin", wrong, [])
        say("in text, too", [pair for pair in pairs(log)
                             if pair[1] != pair[2]], [])
    no_end = {name: sum(call.end is None for call in by_name[name])
              for name in by_name}
    say("text: no end was seen of those that have none",
        collections.Counter(line.name for line in indented(log)
                            if line.is_open and line.name in names),
        collections.Counter({name: n for name, n in no_end.items()
                             if n and n < len(by_name[name])}))
    got = say_sound(log)
    rows = {row["function"]: row for row in report("--calls", log)["rows"]
            if row["function"] in names}
    say("the report counts them",
        {name: (row["calls"], row["no_end"]) for name, row in rows.items()},
        {name: (len(by_name[name]), no_end[name]) for name in by_name})
    took = {name: [call.took() for call in by_name[name]
                   if call.end is not None] for name in by_name}
    say("and how long they took, which is not more in all", [
        (name, row["total"], sum(took[name])) for name, row in rows.items()
        if (row["total"] or 0) > sum(took[name]) + len(took[name])], [])
    say("and not less than one", [
        (name, row["total"], max(took[name])) for name, row in rows.items()
        if took[name] and (row["total"] or 0) < max(took[name]) - 3], [])
    if is_known:
        say("the longest", {name: row["max"] for name, row in rows.items()},
            {name: max(took[name], default=None) for name in rows})
    first, last = extent(log)
    say("the tree is not longer than the program", [
        row["function"] for row in got["rows"]
        if not row["parent"] and (row["total"] or 0) > last - first], [])
    say_drawn(log, calls, by_name, is_known)
    return calls


def say_drawn(log, calls, names, is_known):
    """Chrome has them all, from begin to end; and parts of those only that began
    before another stack than the thread's first was seen to go on."""
    found = [each for each in slices(log)[0] if each.name in names]
    at = collections.defaultdict(list)
    for each in found:
        at[each.name, each.begin].append(each)
    say("chrome has them all", [call for call in calls
                                if not at[call.name, call.entered]], [])
    if not is_known:
        return
    say("as long as they were", [
        (call, call.begin, call.end) for call in calls if call.end is not None
        and not any(abs(each.end - call.end) <= 3
                    for each in at[call.name, call.entered])], [])
    parts = {(call.name, call.entered) for call in calls
             if len(at[call.name, call.entered]) == 2}
    late = [call for call in calls if call.end is not None and
            any(other.begin < call.end < (other.end or call.end + 1) and
                call.begin < other.begin for other in calls)]
    first = min((call.end for call in late), default=0)
    say("none is cut when that is known", [each for each in parts
                                           if each[1] > first], [])
    say("and no other is there", len(found), len(calls) + len(parts))


def extent(log):
    """The first and the last time, ns."""
    times = [json.loads(line)["t"] for line in
             run(os.environ["PTRACE_DUMP"], "-f", "json", log).split("\n")
             if line]
    return min(times), max(times)


def calls_by_time(log, names=None):
    """The calls of functions, or of these functions, of each thread whose end is
    known, each with what it is in by time alone; and how many there are without
    an end."""
    found, no_end, open_calls, last = [], collections.Counter(), [], {}
    for line in run(os.environ["PTRACE_DUMP"], "-f", "json", log).split("\n"):
        event = json.loads(line) if line else {}
        args = event.get("args", {})
        if event.get("name") not in ("call:enter", "call:exit") or \
                (names and args.get("function") not in names):
            continue
        call = last.pop((event["pid"], event["tid"]), None)
        if event["name"] == "call:enter":
            call = Call(args["function"], (event["pid"], event["tid"]),
                        event["t"], None)
            last[call.stack] = call
            open_calls.append(call)
            continue
        if call is None:
            call = Call(args["function"], (event["pid"], event["tid"]),
                        event["t"], None)
        else:
            open_calls.remove(call)
        assert call.name == args["function"], event
        call.begin = event["t"]
        call.end = event["t"] + args["duration"]
        found.append(call)
    no_end.update(call.name for call in open_calls)
    inside = collections.defaultdict(list)
    for call in sorted(found, key=lambda call: (call.begin, -call.end)):
        stack = inside[call.stack]
        while stack and stack[-1].end < call.end - 3:
            stack.pop()
        call.outer = stack[-1] if stack else None
        stack.append(call)
    return found, no_end


def is_in_same(call):
    outer = call.outer
    while outer is not None and outer.name != call.name:
        outer = outer.outer
    return outer is not None


def say_nested(log):
    """Calls of one stack for each thread are as time has them."""
    calls, no_end = calls_by_time(log)
    say("there are calls", bool(calls), True)
    names = {call.name for call in calls} | set(no_end)
    self = {id(call): call.took() for call in calls}
    for call in calls:
        if call.outer:
            self[id(call.outer)] -= call.took()
    rows = {row["function"]: row for row in report("--calls", log)["rows"]
            if row["function"] in names}
    count = collections.Counter(call.name for call in calls)
    say("as many as there are, and without an end",
        {name: (row["calls"], row["no_end"]) for name, row in rows.items()},
        {name: (count[name] + no_end[name], no_end[name]) for name in names})
    def sums(value):
        sum_of = collections.Counter()
        for call in calls:
            sum_of[call.name] += value(call)
        return {name: n for name, n in sum_of.items() if n}
    def of_rows(rows, key):
        sum_of = collections.Counter()
        for row in rows:
            if row["function"] in names:
                sum_of[row["function"]] += row[key] or 0
        return {name: n for name, n in sum_of.items() if n}
    say("in all", of_rows(rows.values(), "total"), sums(
        lambda call: 0 if is_in_same(call) else call.took()))
    say("by themselves", of_rows(rows.values(), "self"),
        sums(lambda call: max(self[id(call)], 0)))
    got = say_sound(log)
    say("so in the tree", of_rows(got["rows"], "self"),
        of_rows(rows.values(), "self"))
    say("of which no end was seen, too", of_rows(got["rows"], "no_end"),
        dict(no_end))
    lines = [line for line in indented(log) if line.name in names]
    say("text has each once", collections.Counter(
        line.name for line in lines if line.took or line.is_open or
        not count[line.name]), count + no_end)
    say("and says which have no end", collections.Counter(
        line.name for line in lines if line.is_open),
        {name: n for name, n in no_end.items() if count[name]})
    found, _ = slices(log)
    say("so has chrome", collections.Counter(
        each.name for each in found if each.name in names), count + no_end)
    timed = {id(call): call for call in calls}
    say("in what they are in", collections.Counter(
        path_of(each, names - set(no_end)) for each in found
        if each.name in names - set(no_end)),
        collections.Counter(path_of(call, names - set(no_end))
                            for call in timed.values()
                            if call.name in names - set(no_end)))


def path_of(call, names):
    path = []
    while call is not None:
        if call.name in names:
            path.append(call.name)
        call = call.outer
    return tuple(path)
