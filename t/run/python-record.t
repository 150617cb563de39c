#!/bin/sh
# SPDX-License-Identifier: MIT
# A program in Python records events and spans of its own, where it is traced; else
# it does what it does without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 16

PYTHONPATH=$abs_top_srcdir/scripts PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
cat >spans.py <<'END'
import asyncio
import os
import threading

import ptrace


@ptrace.span("nested")
def nested(n):
    return n and nested(n - 1)


@ptrace.span("task", number=1)
async def task(other):
    await other()
    return 5


async def tasks():
    first = asyncio.Event()

    async def go():
        first.set()
    return await asyncio.gather(task(first.wait), task(go))


with ptrace.span("request", user=7, path="/x\0y", part=0.5) as request:
    ptrace.record("cache:miss", key="a", large=2 ** 64, small=-1)
    nested(2)
    with request:
        pass
print(asyncio.run(tasks()))
shared = ptrace.span("shared")
first, second = threading.Event(), threading.Event()


def inner():
    with shared:
        first.set()
        second.wait()


def generator():
    with ptrace.span("generator"):
        yield


thread = threading.Thread(target=inner)
with shared:
    thread.start()
    first.wait()
second.set()
thread.join()
with ptrace.span("around"):
    half = generator()
    next(half)
del half
try:
    with ptrace.span("request", user="x"):
        raise ValueError
except ValueError:
    print("raised")
thread = threading.Thread(target=nested, args=(0,))
thread.start()
thread.join()
ptrace.span("\u00e9" * 300).__enter__()
ptrace.span("open").__enter__()
if os.fork() == 0:
    nested(0)
    os._exit(0)
os.wait()
END
python3 spans.py >out 2>&1
is "$? $(cat out)" "0 [5, 5]
raised" "not traced: nothing happens"
run python3 spans.py >out 2>&1
is "$? $(cat out)" "0 [5, 5]
raised" "traced: neither"
# spans TYPE: the events of that name.
spans() {
	dump -f json -n 'span:*' | grep "\"type\":\"$1\""
}
is "$(spans nested | grep -c span:begin) $(spans nested | grep -c '"dur":')" \
	"5 5" "a decorated function: by itself, in a thread, in a child"
is "$(dump -f json -n 'span:*' | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
begun = {e["args"]["span"]: e for e in events if e["name"] == "span:begin"}
print([begun[e["args"]["span"]]["tid"] == e["tid"] for e in events
       if e["name"] == "span:end" and e["args"]["type"] == "shared"])')" \
	"[True, True]" "one of two threads at once: each ends its own"
is "$(spans generator | grep -c '"dur":')$(spans around | grep -c '"dur":')" 11 \
	"a generator that is left late"
is "$(spans task | grep -c '"dur":')" 2 "coroutines, each until its end"
is "$(spans request | grep -c '"user":7,"path":"/xy","part":0.5')" 4 \
	"its fields, with the end, too; entered twice"
is "$(spans request | grep -v '"user":7' | grep -c '"trunc":"recorded"\|"trunc"')" \
	2 "a value of another type is not taken for one"
is "$(spans request | grep -v '"user":7' | grep -c '"dur":')" 1 \
	"an exception ends it"
is "$(spans open | grep -c span:begin) $(spans open | grep -c span:end)" "1 0" \
	"what is not left is open"
is "$(dump -f json -n 'cache:*' | sed 's/.*"args"/"args"/')" \
	'"args":{"key":"a","large":"18446744073709551616","small":-1}}' \
	"an event: no number is cut"
is "$(dump -f json -n 'span:begin' | grep -c 'span:begin.*posix_trace_unnamed')" 1 \
	"a name that is too long is none"
is "$(python3 -c 'import sys; sys.modules["ctypes"] = None
import ptrace
with ptrace.span("x"):
    ptrace.record("y")
print("done")' 2>&1)" "done" "without ctypes, too"

cat >contexts.py <<'END'
import os
import ptrace
ptrace.context("request")
ptrace.context("request", 17)
ptrace.record("seen", n=1)
ptrace.context("request", 2 ** 70)
ptrace.record("seen", n=2)
ptrace.context("user", "bob")
with ptrace.span("request", n=1):
    ptrace.record("seen", n=3)
ptrace.context("request", 18)
ptrace.context("user", None)
ptrace.record("seen", n=4)
ptrace.context("no context \u00e9", 1)
ptrace.record("seen", n=5)
with ptrace.context("request", 19):
    ptrace.record("seen", n=6)
ptrace.record("seen", n=7)
END
is "$(python3 contexts.py 2>&1)" "" "contexts: where nobody traces"
run python3 contexts.py >out 2>&1
is "$(cat out)" "" "nor where somebody does"
is "$(dump -f json -n seen | sed 's/.*"args":{"n"://')" '1},"context":{"request":17}}
2}}
3},"context":{"user":"bob"}}
4},"context":{"request":18}}
5},"context":{"request":18}}
6},"context":{"request":19}}
7}}' "later events have them; what does not fit is none"
