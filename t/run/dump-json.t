#!/bin/sh
# SPDX-License-Identifier: MIT
# JSON: valid, and with the members that others rely on.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 26

run -s 1000 "$VICTIMS/victim-events"
cat >check.py <<'END'
import json, re, sys
events = {}
for line in open(sys.argv[1], encoding="utf-8"):
    e = json.loads(line)
    events.setdefault(e["name"], []).append(e)
def one(name):
    return events[name][0]
def say(name, is_right):
    print("%s %s" % ("pass" if is_right else "fail", name))
all_events = [e for es in events.values() for e in es]
say("the members are always there", all(
    set(e) >= {"ts", "t", "pid", "tid", "id", "name", "addr", "trunc", "len"}
    for e in all_events))
say("ts", all(re.fullmatch(r"\d+\.\d{9}", e["ts"]) for e in all_events))
def ns(e):
    return int(e["ts"].replace(".", ""))
begin = min(map(ns, all_events))
say("t", all(type(e["t"]) is int and e["t"] == ns(e) - begin
             for e in all_events) and len({e["t"] for e in all_events}) > 5)
say("program", one("text")["program"] == "victim-events" and
    one("process:start")["program"] == "victim-events" and
    "program" not in one("posix_trace_start"))
say("module", one("text")["module"] == "victim-events" and
    "module" not in one("process:start"))
say("pid and tid", all(type(e["pid"]) is int and type(e["tid"]) is int
                       for e in all_events))
say("addr", all(re.fullmatch(r"0x[0-9a-f]+", e["addr"])
                for e in all_events))
say("data or args", all(("data" in e) != ("args" in e) for e in all_events))
say("len and data", all(len(e["data"]) == 2 * e["len"]
                        for e in all_events if "data" in e))
raw = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
say("--raw: data always", len(raw) == len(all_events) and
    all(len(e["data"]) == 2 * e["len"] for e in raw))
for e in raw:
    if "args" in e:
        del e["data"]
say("... and else the same", raw == [
    json.loads(line) for line in open(sys.argv[1], encoding="utf-8")])
say("sym", re.fullmatch(r"here\+0x[0-9a-f]+ \(victim-events\)",
                        one("text")["sym"]) is not None)
say("trunc none", one("text")["trunc"] == "none")
say("trunc record", one("large")["trunc"] == "record")
say("cut data", one("large")["len"] == 1000)
say("binary data", one("binary")["data"] == "0001ff")
say("text", one("text")["text"] == "hello \"world\"\n" and
    one("null")["text"] == "hello" and one("utf8")["text"] == "gr\u00fc\u00df")
say("a control character is a part of a text",
    one("bell")["text"] == "ring\x07 \x1b[1mtwice")
say("no text", not any("text" in e for e in [
    one("binary"), one("latin"), one("empty"), one("control"),
    one("process:start")]))
say("no args for user events", "args" not in one("text"))
say("an odd name", 'odd "name"\n\ufffd' in events)
start = one("process:start")["args"]
say("process:start", set(start) == {"ppid", "uid", "exe", "cwd", "argv"} and
    start["exe"].endswith("/victim-events") and len(start["argv"]) == 1 and
    type(start["ppid"]) is int)
end = one("process:exit")["args"]
say("process:exit", end["status"] == 0 and
    set(end) == {"status", "user_us", "sys_us", "maxrss_kib"} and
    all(type(value) is int for value in end.values()))
say("START", type(one("posix_trace_start")["args"]["filter"]) is list)
say("STOP", one("posix_trace_stop")["args"] == {"auto": 0})
dl = one("dl:map")["args"]
say("dl:map", {"base", "path", "build_id"} <= set(dl) and
    re.fullmatch(r"0x[0-9a-f]+", dl["base"]) is not None)
END
dump -f json >events
dump -f json --raw >raw
python3 check.py events raw >results 2>err
diag "$(cat err)"
while read -r result name; do
	"$result" "$name"
done <results
