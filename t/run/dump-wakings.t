#!/bin/sh
# SPDX-License-Identifier: MIT
# Arrows from what ended a wait to the wait, in chrome and in perfetto.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 17

# Of each arrow: from what lasts there, or happens then, and in which thread, to
# what waits.
cat >arrows.py <<'END'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]


def at(arrow):
    """What happens then, or the innermost of what lasts."""
    here = [e for e in events if e["ph"] in "Xi" and e["tid"] == arrow["tid"]
            and e["ts"] <= arrow["ts"] <= e["ts"] + e.get("dur", 0)]
    here.sort(key=lambda e: (e["ph"] == "i", e["ts"]))
    return here[-1]["name"] if here else "nothing"


begun = {e["id"]: e for e in events
         if e["ph"] == "s" and e.get("cat") == "wait"}
for end in events:
    if end["ph"] == "f" and end.get("cat") == "wait":
        begin = begun.pop(end["id"])
        print(at(begin), "->", at(end),
              "late" if begin["ts"] > end["ts"] else "",
              "own" if begin["tid"] == end["tid"] else "")
for begin in begun.values():
    print("no end", begin)
END
arrows() {
	"$PTRACE_DUMP" -f chrome log >arrows.json &&
		python3 arrows.py arrows.json | sed 's/ *$//' | sort | uniq -c |
		sed 's/^ *//'
}

families=process,thread,sync,io,time,signal
# That a lock was let go, or a semaphore posted, may be told behind the end of the
# wait; a child without another program lasts by the name of its parent's.
while read -r case want; do
	run -e $families "$VICTIMS/victim-waits" "$case"
	is "$(arrows | grep -c -x -e "[0-9]* $want")" 1 "$case: $want"
done <<'END'
lock \(sync:unlock\|thread:start\) -> sync:lock
condition \(sync:signal\|thread:start\) -> sync:wait
semaphore \(sync:sem_post\|thread:start\) -> sync:sem_wait
barrier sync:barrier -> sync:barrier
thread thread:start -> sync:join
pipe io:write -> io:read
room io:read -> io:write
child victim-waits -> sync:waitpid
END

# Times that are known, to the nanosecond; the log begins 1 us before.
fork=17 exit=20 program=29 post=176 wait=173 waitpid=63 usleep=195
exited='i:0 i:0 i:0 i:0'
"$VICTIMS/victim-mklog" log <<END
0 10 10 1 $program 0 s:boss
1000 10 10 1 $fork 0 i:20
1000 20 20 2 $program 0 s:slow
7000 20 20 2 $post 0 x:0x100 i:0 i:0
8000 20 21 2 $wait 0 x:0x100 i:0 i:0 i:1 @2000
90000 20 20 2 $usleep 0 i:80 i:0 i:0 @10000
95000 20 20 2 $exit 0 $exited
100000 10 10 1 $waitpid 0 i:20 x:0 i:20 i:0 i:0 @5000
110000 10 10 1 $exit 0 $exited
END
flows() {
	"$PTRACE_DUMP" -f chrome "$@" log | python3 -c '
import json, sys
for e in json.load(sys.stdin)["traceEvents"]:
    if e["ph"] in "sf" and e["cat"] == "wait":
        print(e["ph"], e["tid"], e["ts"], e["name"])'
}
is "$(flows)" "s 20 94.999 wakes
f 10 95.0 wakes
s 20 7.0 wakes
f 21 7.0 wakes" "from where to where"
is "$(flows --tid 10)" "" "not from a thread that is not shown"
is "$(flows -n sync:waitpid -n process:exit)" "s 20 89.999 wakes
f 10 90.0 wakes" "not to a wait that is not shown"
is "$(flows --since 0.000050)" "" "nor to one that began before"
is "$(flows --until 0.000050)" "s 20 94.999 wakes
f 10 95.0 wakes
s 20 7.0 wakes
f 21 7.0 wakes" "but from what is behind the time"

if command -v protoc >said; then
	perfetto() {
		"$PTRACE_DUMP" -f perfetto -o perfetto "$@" log &&
			protoc --decode=Trace -I "$abs_top_srcdir/t/run" perfetto.proto \
				<./perfetto | python3 -c '
import re, sys
names = {}
flows = []
for packet in sys.stdin.read().split("\npacket {"):
    names.update(re.findall(r"event_names \{\s*iid: (\d+)\s*name: \"(.*)\"",
                            packet))
    name = re.search(r"  name_iid: (\d+)\n    track_uuid: (\d+)", packet)
    time = re.search(r"\n  timestamp: (\d+)", packet)
    for way, flow in re.findall(r"(\w*flow_ids): (\d+)", packet):
        flows.append((names[name[1]], time and int(time[1]) % 10**9, way))
for name, time, way in flows:
    if "wake" in name or "woken" in name:
        print(name, time, way)'
	}
	is "$(perfetto)" "wakes boss[10] 95999 flow_ids
woken by slow[20] 96000 terminating_flow_ids
wakes slow[21] 8000 flow_ids
woken by slow[20] 8000 terminating_flow_ids" "in perfetto"
	is "$(perfetto --tid 10)" "" "... not from what is not shown"
	rm -f perfetto
	run -e $families "$VICTIMS/victim-waits" semaphore
	is "$(perfetto | sed 's/\[.*\]//; s/ [0-9]* / /' | sort -u)" \
		"wakes victim-waits flow_ids
woken by victim-waits terminating_flow_ids" "... of a program"
	is "$(perfetto | grep -c ^wakes)" "$(perfetto | grep -c ^woken)" \
		"... as many ends"
else
	skip "in perfetto" "no protoc" 4
fi
