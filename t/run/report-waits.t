#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --waits: for what programs waited, and what those did meanwhile who
# ended the waiting; --critical-path: what came before the end, each moment once.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need sort tr sleep tail
plan 59

cat >waited.py <<'END'
# usage: waited.py LOG OBJECT PROGRAM WHAT [WHO]: WHO, or anybody, waited for
# OBJECT, and while it went on that PROGRAM did mostly WHAT.
import re, sys
from report import report, say

log, object, program, what = sys.argv[1:5]
who = sys.argv[5:]
rows = report("--waits", log)["rows"]
waits = [row for row in rows if re.fullmatch(object, row["object"])
         and (not who or row["program"] in who)]
say("waited for " + object, len(waits), 1)
row = waits[0] if waits else {"wait": 0, "meanwhile": []}
meanwhile = row["meanwhile"][0] if row["meanwhile"] else {}
say("... at least as long as the other slept", row["wait"] >= 59000000, True)
say("... which it did meanwhile",
    (meanwhile.get("program"), meanwhile.get("what"),
     meanwhile.get("time", 0) >= 55000000), (program, what, True))
END

families=process,thread,signal,sync,io,file,time
for case in 'lock:mutex &object \(victim-waits\)' \
	'condition:cond &condition \(victim-waits\)' \
	'semaphore:sem &semaphore \(victim-waits\)' \
	'barrier:barrier &barrier \(victim-waits\)' \
	'thread:the end of a thread' \
	'pipe:data from pipe .*' 'room:room in pipe .*' \
	'child:the end of victim-waits' \
	'signal:a signal, in time:sleep' \
	'creator:sem &semaphore \(victim-waits\)'; do
	run -e $families "$VICTIMS/victim-waits" "${case%%:*}"
	checks "${case%%:*}" waited.py log "${case#*:}" victim-waits time:usleep
done

# Sockets with addresses, between processes.
socket='socket at unix:socket'
for case in "accept:a connection to $socket" "listen:a connection to $socket" \
	"recv:data from accepted by $socket" "epoll:data from accepted by $socket" \
	"end:data from accepted by $socket"; do
	run -e $families,net "$VICTIMS/victim-connect" "${case%%:*}"
	checks "${case%%:*}" waited.py log "${case#*:}" victim-connect time:usleep
done
run -e $families,net "$VICTIMS/victim-connect" two
is "$(report --waits --json | python3 -c 'import json, sys
for row in json.load(sys.stdin)["rows"]:
    if row["object"].startswith("data from accepted"):
        print(row["waits"], row["wait"] >= 59000000, row["meanwhile"])')" \
	"1 True []" "of two that send it is not known whose data came"
run -e $families,net "$VICTIMS/victim-connect" epoll
is "$(report --critical-path --json | python3 -c 'import json, sys
row = json.load(sys.stdin)["rows"][0]
print(row["what"], row["time"] >= 59000000)')" "time:usleep True" \
	"the critical path goes to the other end"

cat >path.py <<'END'
# usage: path.py LOG: the path is whole, from the first event to the end.
import sys
from report import Log, report, say

got = report("--critical-path", sys.argv[1])
path = got["path"]
say("nothing between", [a["at"] + a["time"] for a in path[:-1]],
    [b["at"] for b in path[1:]])
say("as long as its parts", got["length"], sum(l["time"] for l in path))
say("the rows have all of it", sum(row["time"] for row in got["rows"]),
    got["length"])
log = Log(sys.argv[1])
its = [e["at"] - log.events[0]["at"] for e in log.events
       if e["pid"] == path[0]["pid"]]
say("from its beginning", path[0]["at"], min(its))
say("to its end", path[-1]["at"] + path[-1]["time"], max(its))
END
pipeline='(sleep 0.1; echo a; sleep 0.2; echo b) | tr a-z A-Z | sort'
run -e $families sh -c "$pipeline" >/dev/null
checks pipeline path.py log
checks sort waited.py log 'data from pipe .*' sleep time:nanosleep sort
is "$(report --critical-path --json | python3 -c 'import json, sys
row = json.load(sys.stdin)["rows"][0]
print(row["program"], row["what"], row["count"], row["time"] >= 299000000)')" \
	"sleep time:nanosleep 2 True" "a chain of pipes: the one that slept"

# A thread ends the waiting that another one has begun late.
run -e $families "$VICTIMS/victim-waits" creator
is "$(report --critical-path --json | python3 -c 'import json, sys
print([row["time"] >= 55000000 for row in json.load(sys.stdin)["rows"]
       if row["what"] == "time:usleep"])')" "[True]" \
	"the critical path goes to who began a thread"

# Nobody ended it.
run -e $families sleep 0.05
is "$(report --waits | awk '/nanosleep/ { print $1, $6 }') $(report --waits |
	grep -c meanwhile)" "1 sleep 1" "a sleep, and nothing meanwhile"

# Who is waited for is killed.
run -e $families sh -c 'tail -f /dev/null & child=$!; sleep 0.1; kill $child; wait'
is "$(report --waits --json | python3 -c 'import json, sys
for row in json.load(sys.stdin)["rows"]:
    if row["object"] == "the end of tail":
        print(row["waits"], row["ended_by_unknown"])')" "1 0" \
	"the end of a child that is killed"
