#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --io and --events: how many calls and events, bytes and how long,
# as the events say.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 26

cat >check.py <<'END'
import collections, sys
from report import Log, report, say

log = Log(sys.argv[1])
got = report("--io", sys.argv[1])
rows = {row["call"]: row for row in got["rows"]}
polls = {row["call"]: row for row in got["polls"]}
POLLS = "io:poll", "io:ppoll", "io:select", "io:epoll_wait"
MOVES = "read write pread pwrite readv writev preadv pwritev fread fwrite " \
    "puts gets printf scanf getc putc send sendto sendmsg recv recvfrom " \
    "recvmsg sendfile splice copy_file_range mq_send mq_receive".split()
calls, errs, shorts, sums = (collections.Counter() for i in range(4))
durs = collections.defaultdict(list)
for e in log.of("io", "net"):
    name, args = e["name"], e["args"]
    what = name.partition(":")[2]
    calls[name] += 1
    errs[name] += "errno" in args
    if "dur" in e:
        durs[name].append(e["dur"])
    if what in ("getc", "putc"):
        sums[name] += args["ret"] >= 0
    elif what in ("fread", "fwrite"):
        sums[name] += args["ret"] * args["size"]
        shorts[name] += args["ret"] < args["count"]
    elif what in MOVES:
        sums[name] += max(args["ret"], 0)
        shorts[name] += "size" in args and 0 <= args["ret"] < args["size"]
say("calls", sorted(list(rows) + list(polls)), sorted(calls))
say("polls are apart", sorted(polls), sorted(set(calls) & set(POLLS)))
both = dict(rows, **polls)
say("how often", {name: (both[name]["calls"], both[name]["err"])
                  for name in both}, {name: (calls[name], errs[name])
                                      for name in calls})
say("bytes", {name: row["bytes"] for name, row in rows.items()},
    {name: sums[name] if name.partition(":")[2] in MOVES else None
     for name in rows})
say("short", {name: row["short"] or 0 for name, row in rows.items()},
    {name: shorts[name] for name in rows})
say("time", {name: (both[name]["time"], both[name]["max"]) for name in both},
    {name: (sum(durs[name]), max(durs[name])) for name in both})
say("rate", [name for name, row in rows.items() if row["rate"] is not None and
             abs(row["rate"] - row["bytes"] * 1e9 / row["time"]) > 1], [])

types = collections.defaultdict(list)
for e in log.events:
    types[e["name"]].append(e)
events = {row["event"]: row for row in report("--events", sys.argv[1])["rows"]}
say("events", {name: (row["count"], row["bytes"], row["trunc"], row["first"],
                      row["last"]) for name, row in events.items()},
    {name: (len(es), sum(e["len"] for e in es),
            sum(e["trunc"] != "none" for e in es), es[0]["at"], es[-1]["at"])
     for name, es in types.items()})
say("events a second", [name for name, row in events.items() if abs(
    row["per_s"] - row["count"] * 1e9 / log.wall) > 1], [])
END
record_make -e 'process,thread,file,io,net'
checks make check.py log
cat >poll.py <<'END'
import os, select
r, w = os.pipe()
poll = select.poll()
poll.register(r)
poll.poll(0)
select.select([r], [], [], 0)
os.write(w, b"12345")
poll.poll()
os.read(r, 3)
os.read(r, 100)
os.sendfile(1, os.open("poll.py", os.O_RDONLY), 0, 10)
END
run -s 100 -e process,file,io "$python" -S -E poll.py >out
checks poll check.py log
# files CALL: of how many different ones it is.
files() {
	report --json --io | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    if row["call"] == sys.argv[1]:
        print(row["of"])' "$1"
}
run -e process,file,io sh -c 'read -r a <"$0"; read -r b <"$0"; echo $a | cat' poll.py >/dev/null
is "$(files io:write | tr ',' '\n' | grep -c pipe)" 1 "how many pipes"
like "$(report --io)" '^WAITING|^CALLS +BYTES +TIME\* +MB/s ' "the heading"
COLUMNS=60 "$PTRACE_REPORT" --io log >narrow
is "$(sed -n '3,/^$/p' narrow | tr '\n' ' ')$(awk 'length > 60' narrow | wc -l)" \
	"TIME is wall time in the calls, over all threads; MB/s is \
BYTES in TIME; SHORT: less than asked for  0" "what a view says of itself is not cut"
LC_ALL=C.UTF-8 COLUMNS=80 "$PTRACE_REPORT" --io log >narrow
like "$(grep ' io:write ' narrow)" ' io:write +1 pipe, 1 unknown$' \
	"of what comes before spare numbers"
run -s 16 -e process true
like "$(report --events)" '^ +1 .* [1-9] +[0-9.]+ +[0-9.]+  process:start$' \
	"events that were cut are counted"
like "$(report --events | tail -n 1)" \
	'^families not recorded: thread signal file io mem sync time net' \
	"what was not recorded"
run -e process true
is "$(report --json --io | python3 -c '
import json, sys
print(json.load(sys.stdin)["rows"])')" "[]" "an empty table"
like "$(report --io | tail -n 1)" '^families not recorded: io net ' "says why"
