#!/bin/sh
# SPDX-License-Identifier: MIT
# Of each thread of real programs all of its time is accounted for: user (by
# samples), kernel and off the processor are, within 2 %, the time from the first
# that is known of it to its end.  All of it is of one log, so that it does not
# matter what else runs.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
python=$(python_itself)
"$PTRACE_RUN" -q --sched --sample -o log true 2>why ||
	skip_all "the kernel does not tell of switches: $(cat why)"
plan 4

cat >work.py <<'END'
import os, threading, zlib
def compute():
    for i in range(30):
        zlib.compress(bytes(range(256)) * 2000)
def copy():
    with open("/dev/zero", "rb") as zero:
        for i in range(100):
            zero.read(1 << 20)
def talk(ends):
    for i in range(200):
        os.write(ends[1], b"x")
        os.read(ends[0], 1)
a, b = os.pipe(), os.pipe()
threads = [threading.Thread(target=compute), threading.Thread(target=copy),
           threading.Thread(target=talk, args=((a[0], b[1]),)),
           threading.Thread(target=talk, args=((b[0], a[1]),))]
[t.start() for t in threads]
[t.join() for t in threads]
END
cat >sums.py <<'END'
import json, sys

events = [json.loads(line) for line in open("events")]
report = json.load(open("report"))
if report["switches_lost"]:
    print("lost")
    sys.exit()
# A number is another's after its end; threads are told apart by that.
first, spans = {}, {}
for e in events:
    key = e["pid"], e["tid"]
    first.setdefault(key, e["t"])
    first[key] = min(first[key], e["t"])
    if e["name"] == "sched:sum":
        spans.setdefault(key, []).append((first.pop(key), e["t"], e["args"]))
log_begin = min(e["t"] for e in events)
wrong, all_wall, user = [], 0, 0
for t in report["threads"]:
    sums = t["user"] or 0, t["kernel"] if t["kernel"] is not None else t["on"], \
        t["off"], t["unknown"]
    total, wall = sum(sums), t["wall"]
    begin, end, args = spans[t["pid"], t["tid"]][0]
    # Something of it was seen before the library's first event.
    is_right = (len(spans[t["pid"], t["tid"]]) == 1 and
        abs(total - wall) <= wall * .02 + 2e6 and
        wall >= (end - begin) * .98 - 1e5 and
        wall <= (end - log_begin) * 1.02 + 5e6 and
        t["unknown"] == 0)
    # What begins a thread is told of: from there on it is all of it.
    if t["pid"] != t["tid"]:
        is_right &= abs(wall - (end - begin)) <= wall * .02 + 1e5
    if not is_right:
        wrong.append((t["thread"], sums, wall, end - begin))
    all_wall += wall
    user += t["user"] or 0
print("right" if not wrong else wrong, len(report["threads"]), user > 0)
END

# sums NAME THREADS COMMAND...: of each thread all its time is there.
sums() {
	name=$1 threads=$2
	shift 2
	"$PTRACE_RUN" -q --sched=1ns --sample=199 --sample-stack=4096 -e process,thread -o log \
		"$@" >out
	"$PTRACE_DUMP" -f json log >events
	"$PTRACE_REPORT" --off-cpu --json log >report
	python3 sums.py >said
	# The sampler had nothing of a processor for too long.
	case $(cat said) in
	lost) skip "$name" "switches were lost" ;;
	*) is "$(cat said)" "right $threads True" "$name" ;;
	esac
}
sums python3 5 "$python" -I -S work.py
sums 'a pipeline' 4 sh -c 'head -c 20000000 /dev/zero | gzip | wc -c >other; :'
if command -v sqlite3 >other; then
	sums sqlite3 1 sqlite3 data 'CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
		SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO t SELECT i * 7 % 1000 FROM n;
		SELECT count(DISTINCT a) FROM t;'
else
	skip "sqlite3" "there is none"
fi

# Seen from outside: processor time is what the kernel says of the process.
"$PTRACE_RUN" -q --sched=1ns -e process,thread -o log "$python" -I -S work.py >out
"$PTRACE_DUMP" -f json -n process:exit log >ends
"$PTRACE_REPORT" --off-cpu --json log | python3 -c '
import json, sys
ends = [json.loads(line)["args"] for line in open("ends")]
used = sum(e["user_us"] + e["sys_us"] for e in ends) * 1000
on = sum(t["on"] for t in json.load(sys.stdin)["threads"])
# Before it executes python the process is not looked at; and what a virtual
# machine does not have of its processors is in ours only.
print(used * .9 - 20e6 <= on or (on, used))' >said
is "$(cat said)" True "not less than the kernel counts"
