# SPDX-License-Identifier: MIT
"""The events of libptrace's logs, as objects; and events of a program's own.

    import ptrace

    for event in ptrace.events("make.123.ptlog", name="file:open"):
        if event.args.ret == -1:
            print(event.program, event.args.path, event.args.errno)

An event has the members that `ptrace-dump -f json' shows: event.schema.json,
which is installed in share/libptrace, says which.  One that is missing is None,
and so is a missing argument.  The text for people is in ptrace-dump(1).

A program that is traced records what it does itself, and how long that takes:

    with ptrace.span("request", user=7, path="/x"):
        ptrace.record("cache:miss", key="a")

    @ptrace.span("render")
    def render():
        ...

    with ptrace.span("answer") as answer:
        answer.link(request)                # that span has caused it

    ptrace.gauge("queue", len(queue))       # so many there are
    ptrace.counter("bytes", len(answer))    # so many more
    ptrace.context("request", 17)           # later events of the thread have it
    ptrace.set_name(thread="reader")        # what it is called wherever it is shown
    ptrace.set_tag(region="eu", shard=7)    # shown beside the process's name

Where nobody traces that does nothing.
"""
import contextvars
import functools
import inspect
import json
import os
import struct
import subprocess
import warnings

try:
    import ctypes
except ImportError:  # a small installation: nothing is recorded
    ctypes = None

__all__ = ["Error", "Event", "Incomplete", "context", "counter", "events", "gauge",
           "read", "record", "set_name", "set_tag", "span"]


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


class Recorder:
    """The functions of libptrace.so, if it is in this process."""
    UNNAMED = 9  # POSIX_TRACE_UNNAMED_USEREVENT

    def __init__(self):
        self.types = {}
        self.values = {}
        self.is_there = False
        try:
            process = ctypes.CDLL(None)
            self.open_type = process.posix_trace_eventid_open
            self.open_typed = process.posix_trace_eventid_open_fields_np
            self.event = process.posix_trace_event
            self.begin = process.posix_trace_span_begin_np
            self.end = process.posix_trace_span_end_np
            self.link = process.posix_trace_span_link_np
            self.name = process.posix_trace_set_name_np
            self.tag = process.posix_trace_set_tag_np
        except (AttributeError, OSError, TypeError):
            return
        self.event.restype = self.begin.restype = self.end.restype = None
        self.link.restype = self.name.restype = self.tag.restype = None
        self.tag.argtypes = ctypes.c_char_p, ctypes.c_char_p
        self.name.argtypes = ctypes.c_int, ctypes.c_char_p
        self.event.argtypes = ctypes.c_uint, ctypes.c_char_p, ctypes.c_size_t
        self.begin.argtypes = *self.event.argtypes, ctypes.c_void_p
        self.end.argtypes = ctypes.c_ulonglong,
        self.link.argtypes = ctypes.c_ulonglong, ctypes.c_ulonglong, ctypes.c_int
        self.is_there = True

    def type_of(self, name, fields):
        """Its number, and the names and kinds of its fields: those that came
        with the name first."""
        known = self.types.get(name)
        if known is None:
            # Of two threads that make it the first counts.  No lock: a fork's
            # child would find it taken.
            known = self.types.setdefault(name, self.make_type(name, fields))
        return known

    def make_type(self, name, fields):
        number = ctypes.c_uint()
        layout = [(key, kind_of(value)) for key, value in fields.items()
                  if key.isascii() and len(key) < 32][:14]
        text = " ".join(map(":".join, layout)).encode()
        encoded = name.encode("utf-8", "replace")
        if layout and self.open_typed(encoded, text,
                                      ctypes.byref(number)) == 0:
            return number.value, layout
        # There is one of other fields: what is recorded has none then.
        if self.open_type(encoded, ctypes.byref(number)) == 0:
            return number.value, []
        return self.UNNAMED, []

    def value(self, name, value, mark):
        """An event of one field; ptrace-event makes the same of it."""
        known = self.values.get((name, mark))
        if known is None:
            known = self.values.setdefault((name, mark),
                                           self.make_value(name, mark))
        number, kind = known
        try:
            data = struct.pack("=d", value) if kind == "f" else \
                struct.pack("=q", int(value))
        except (OverflowError, TypeError, ValueError, struct.error):
            return
        if kind:
            self.event(number, data, len(data))

    def context(self, name, value):
        """The kind of its first value is that of all."""
        known = self.values.get((name, "context"))
        if known is None and value is None:
            return
        if known is None:
            known = self.values.setdefault(
                (name, "context"), self.make_context(name, kind_of(value)))
        number, kind = known
        data = packed(kind, value) if kind and value is not None else b""
        if kind:
            self.event(number, data or b"", len(data or b""))

    def make_context(self, name, first):
        number = ctypes.c_uint()
        if name.isascii() and len(name) < 32:
            for kind in dict.fromkeys(first + "ifs"):
                layout = "%s:%s.context" % (name, kind)
                if self.open_typed(name.encode(), layout.encode(),
                                   ctypes.byref(number)) == 0:
                    return number.value, kind
        return self.UNNAMED, None

    def make_value(self, name, mark):
        number = ctypes.c_uint()
        encoded = name.encode("utf-8", "replace")
        for kind in "fi":
            layout = "value:%s.%s" % (kind, mark)
            if self.open_typed(encoded, layout.encode(),
                               ctypes.byref(number)) == 0:
                return number.value, kind
        return self.UNNAMED, None

    def data(self, layout, fields):
        """As far as there are values: what is missing is not 0, but cut."""
        data = b""
        for key, kind in layout:
            value = packed(kind, fields[key]) if key in fields else None
            if value is None:
                break
            data += value
        return data


def packed(kind, value):
    if kind == "s":
        if not isinstance(value, bytes):
            value = str(value).encode("utf-8", "replace")
        return value.replace(b"\0", b"") + b"\0"
    try:
        return struct.pack("=q" if kind == "i" else "=d", value)
    except (OverflowError, struct.error):
        return None


def kind_of(value):
    if isinstance(value, int) and -2 ** 63 <= value < 2 ** 63:
        return "i"
    return "f" if isinstance(value, float) else "s"


recorder = Recorder()


def record(name, **fields):
    """Records an event of that type, with integers, floating-point numbers and
    strings as its fields."""
    if not recorder.is_there:
        return
    number, layout = recorder.type_of(name, fields)
    data = recorder.data(layout, fields)
    recorder.event(number, data, len(data))


def set_name(thread=None, process=None):
    """Records what this thread, or this process, is to be called from now on,
    wherever tools show it."""
    for what, text in enumerate((thread, process)):
        if recorder.is_there and text is not None:
            recorder.name(what, text.encode("utf-8", "replace"))


def set_tag(**tags):
    """Records tags of this process, which tools show beside its name: strings
    and numbers.  None takes one away."""
    for key, value in tags.items():
        if recorder.is_there:
            text = "" if value is None else str(value)
            recorder.tag(key.encode("utf-8", "replace"),
                         text.encode("utf-8", "replace"))


def gauge(name, value):
    """Records how much of something there is, until the next that is recorded:
    a number, which tools draw as a curve."""
    if recorder.is_there:
        recorder.value(name, value, "gauge")


def counter(name, value=1):
    """Records how much more of something there is: tools sum it up."""
    if recorder.is_there:
        recorder.value(name, value, "counter")


class context:
    """Later events of this thread have it, a number or a string, until there is
    another value, or None; by `with' until the block is left, where there is none
    afterwards.  Tasks of asyncio that share a thread share it."""

    def __init__(self, name, value=None):
        self.name = name
        if recorder.is_there:
            recorder.context(name, value)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if recorder.is_there:
            recorder.context(self.name, None)


LINKS = {"cause": 0, "follows": 1}

# What a thread, or a task of asyncio, is in: spans and their numbers.
entered = contextvars.ContextVar("entered", default=())


class span:
    """Something that lasts: a block of `with', or each call of what it
    decorates, also of a coroutine.  One may be entered again, also by itself,
    in another thread or task."""

    def __init__(self, name, **fields):
        self.name = name
        self.fields = fields
        self.number = 0  # of the last that began, for links

    def __enter__(self):
        if recorder.is_there:
            self.number = self.begin()
            entered.set((*entered.get(), (self, self.number)))
        return self

    def link(self, to, kind="cause"):
        """The other span, or the number of one, has caused this, or came before it
        ("follows")."""
        if recorder.is_there:
            recorder.link(self.number, getattr(to, "number", to), LINKS[kind])

    def begin(self):
        kind, layout = recorder.type_of(self.name, self.fields)
        data = recorder.data(layout, self.fields)
        number = ctypes.c_ulonglong()
        recorder.begin(kind, data, len(data), ctypes.byref(number))
        return number.value

    def __exit__(self, *_):
        before = entered.get()
        # Generators are not left in the order in which they were entered.
        for i in range(len(before) - 1, -1, -1):
            if before[i][0] is self:
                entered.set(before[:i] + before[i + 1:])
                recorder.end(before[i][1])
                return

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def call(*args, **named):
                with span(self.name, **self.fields):
                    return await function(*args, **named)
        else:
            @functools.wraps(function)
            def call(*args, **named):
                with span(self.name, **self.fields):
                    return function(*args, **named)
        return call
