# SPDX-License-Identifier: MIT
"""What the tests of ptrace-report compute from the events of a log themselves,
as ptrace-dump -f json prints them, without anything of ptrace-report's."""
import json
import os
import subprocess


def say(name, got, want):
    """A line for report.sh: the test's name, and whether it passed."""
    print("%s %s" % ("pass" if got == want else "fail", name))
    if got != want:
        print("# got:  %.800r" % (got,))
        print("# want: %.800r" % (want,))


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace")


def report(*options):
    return json.loads(run(os.environ["PTRACE_REPORT"], "--json", *options))


def ns(ts):
    seconds, _, fraction = ts.partition(".")
    return int(seconds) * 10**9 + int(fraction)


def place(sym, src):
    """What a report says of "function+0x1c (module)" and "file.c:12"."""
    return "%s (%s)" % (sym[:sym.rindex("+0x")], src) if sym and src else sym


def frames(sym, src, inlined):
    """The places of one address, innermost first: what is inlined, and the
    function that it is in."""
    for function in inlined:
        yield "%s (%s)" % (function["function"], src or
                           sym[sym.rindex("(") + 1:-1])
        src = function.get("call")
    yield place(sym, src)


class Process:
    def __init__(self, pid, begin):
        self.pid = pid
        self.begin = begin
        self.end = None
        self.parent = None
        self.images = []  # (program, begin)
        self.exec = None  # when it was about to execute the next program
        self.label = [None]  # its program's name, perhaps learned later
        self.exit = {}
        self.events = 0
        self.threads = self.most = 1

    def program(self):
        return self.label[0]


class Log:
    """The events, each with its time "at" in ns since the first and its
    "process"; for logs in which no number of a process is used again."""

    def __init__(self, *paths):
        text = run(os.environ["PTRACE_DUMP"], "-f", "json", *paths)
        self.events = [json.loads(line) for line in text.splitlines()]
        self.processes = {}
        first = ns(self.events[0]["ts"]) if self.events else 0
        for e in self.events:
            e.setdefault("args", {})
            e["at"] = ns(e["ts"]) - first
            e["family"] = e["name"].partition(":")[0]
            e["own"] = e["name"].startswith("posix_trace_")
            e["site"] = next(frames(e.get("sym"), e.get("src"),
                                    e.get("inlined", [])))
            stack = e.get("stack", [])
            e["sites"] = [site for frame in zip(
                stack, e.get("stack_src", [""] * len(stack)),
                e.get("stack_inlined", [[]] * len(stack)))
                for site in frames(*frame)]
            if not e["own"]:
                self.learn(e)
        self.wall = max((e["at"] for e in self.events), default=0)
        for process in self.processes.values():
            if process.end is None:
                process.end = self.wall

    def process(self, pid, at):
        if pid not in self.processes:
            self.processes[pid] = Process(pid, at)
        return self.processes[pid]

    def learn(self, e):
        process = e["process"] = self.process(e["pid"], e["at"])
        process.events += 1
        args = e["args"]
        if e["name"] == "process:fork":
            child = self.process(args["child"], e["at"])
            child.parent = process
            if child.label[0] is None:
                child.label[0] = process.label[0]
        elif e["name"] == "process:start":
            if process.exec is None:
                process.exec = e["at"] if process.images else process.begin
            process.images.append((os.path.basename(args["argv"][0]),
                                   process.exec))
            process.exec = None
            process.label = [process.images[-1][0]]
            process.threads = 1
        elif e["name"] == "process:exec":
            process.exec = e["at"]
        elif e["name"] == "process:exec_failed":
            process.exec = None
        elif e["name"] == "process:exit":
            process.end = e["at"]
            process.exit = args
        elif e["name"] == "thread:start":
            process.threads += 1
            process.most = max(process.most, process.threads)
        elif e["name"] == "thread:exit":
            process.threads -= 1
        e["label"] = process.label

    def of(self, *families):
        return [e for e in self.events if e["family"] in families]
