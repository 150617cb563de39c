# SPDX-License-Identifier: MIT
"""The events of libptrace's logs, as objects.

    import ptrace

    for event in ptrace.events("make.123.ptlog", name="file:open"):
        if event.args.ret == -1:
            print(event.program, event.args.path, event.args.errno)

An event has the members that `ptrace-dump -f json' shows: event.schema.json,
which is installed in share/libptrace, says which.  One that is missing is None,
and so is a missing argument.  The text for people is in ptrace-dump(1).
"""
import json
import os
import subprocess
import warnings

__all__ = ["Error", "Event", "Incomplete", "events", "read"]


class Error(Exception):
    """ptrace-dump could not read the logs, or did not understand an option."""


class Incomplete(UserWarning):
    """A log is damaged, incomplete, or still being written."""


class Arguments(dict):
    """The fields of an event: args.path, or args["path"]."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)


class Event:
    """An event: a line of JSON.  Besides its members:

    ns       when it was, or began, in nanoseconds since 1970
    program  the name of its program, if that is known
    args     never None
    stack    never None
    """
    __slots__ = ("members", "program", "args", "stack")

    def __init__(self, members):
        self.members = members
        self.program = members.get("program")
        self.args = Arguments(members.get("args", ()))
        self.stack = members.get("stack", [])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.members.get(name)

    @property
    def ns(self):
        seconds, ns = self.members["ts"].split(".")
        return int(seconds) * 10 ** 9 + int(ns)

    @property
    def data(self):
        """The bytes that were recorded, if the line has them: it has args
        instead, without options=["--raw"]."""
        return bytes.fromhex(self.members.get("data", ""))

    def __repr__(self):
        return "<ptrace.Event %s %s %s/%s %r>" % (
            self.ts, self.name, self.pid, self.tid, dict(self.args))


def read(lines):
    """The events of lines of JSON: a file, such as sys.stdin."""
    programs = {}
    for line in lines:
        event = Event(json.loads(line))
        process = event.pidns, event.pid
        if event.name == "process:start":
            program = (event.args.argv or [""])[0] or event.args.exe or ""
            programs[process] = program.rstrip("/").split("/")[-1] or None
        elif event.name == "process:fork":
            child = event.pidns, event.args.child
            if event.args.nspid is not None:
                child = event.args.pidns or None, event.args.nspid
            programs[child] = programs.get(process)
        if event.program is None:
            event.program = programs.get(process)
        yield event


def events(*logs, name=None, pid=None, tid=None, since=None, until=None,
           options=(), dump=None):
    """The events of logs, in the order of time.

    name, pid and tid select, as the options of ptrace-dump do; each may be a
    list.  since and until are times as these options have them.  Further
    options can be given as a list.  dump is the program; else it is
    $PTRACE_DUMP, or that of the same installation or build, or one in $PATH.
    """
    command = [dump or find_dump(), "-f", "json"]
    for option, values in (("--name", name), ("--pid", pid), ("--tid", tid),
                           ("--since", since), ("--until", until)):
        if not isinstance(values, (list, tuple)):
            values = [] if values is None else [values]
        command += ["%s=%s" % (option, value) for value in values]
    command += [*options, "--", *map(os.fspath, logs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace") as process:
        yield from read(process.stdout)
        said = process.stderr.read().strip()
    if process.returncode == 1:
        warnings.warn(said, Incomplete, stacklevel=2)
    elif process.returncode != 0:
        raise Error(said)


def find_dump():
    here = os.path.dirname(os.path.abspath(__file__))
    for place in (os.environ.get("PTRACE_DUMP"),
                  os.path.join(here, "../../bin/ptrace-dump"),
                  os.path.join(here, "../build/tools/ptrace-dump")):
        if place and os.access(place, os.X_OK):
            return place
    return "ptrace-dump"
