#!/bin/sh
# SPDX-License-Identifier: MIT
# Samples as perf script prints them: by the patterns of those that read it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
need python3
need_rules
need_samples
plan 12

run --sample=500 python3 -c '
import threading
def f(n):
	return n if n < 2 else f(n - 1) + f(n - 2)
threads = [threading.Thread(target=f, args=(24,)) for i in range(2)]
[t.start() for t in threads]
[t.join() for t in threads]'
dump_perf() {
	"$PTRACE_DUMP" -f perf-script log
}
dump_perf >script
"$PTRACE_DUMP" -f json -n cpu:sample log >events
python3 - >said <<'END'
import json, re
events = [json.loads(line) for line in open("events")]
samples = open("script").read().split("\n\n")[:-1]
def say(name, good, *what):
	print(name, "so" if good else what)
say("number", len(samples) == len(events) > 3, len(samples), len(events))
heads, stacks = [], []
for sample in samples:
	head, *frames = sample.split("\n")
	# Speedscope's, the Firefox Profiler's and FlameGraph's.
	a = re.match(r"(\S.+?)\s+(\d+)(?:/?(\d+))?\s+", head)
	b = re.match(r"(.*)\s+([\d.]+):", head)
	c = re.match(r"(\S+\s*?\S*?)\s+(\d+)/(\d+)", head)
	event = re.search(r"(\S+):\s*$", head)
	heads.append((a[1], int(a[2]), int(a[3]), float(b[2]), c[1], event[1]))
	stacks.append([re.match(r"\s*(\w+)\s*(.+) \((\S*)\)", f) for f in frames])
say("names", all(h[0] == h[4] == e["program"] for h, e in zip(heads, events)))
say("threads", all(h[1:3] == (e["pid"], e["tid"]) for h, e in zip(heads, events)))
say("times", all(abs(h[3] - e["t"] / 1e9) < 2e-6 for h, e in zip(heads, events)))
say("event", {h[5] for h in heads} == {"cpu-clock:u"}, {h[5] for h in heads})
def name(frame):
	return re.sub(r" \([^ ]*\)$", "", frame)
say("frames", all(
	[m and re.sub(r"\+0x[\da-f]+$", "", m[2]) for m in s if m and m[2] != "[truncated stack]"] ==
	[re.sub(r"\+0x[\da-f]+$", "", name(f)) if " (" in f and not f.startswith("+") else "[unknown]"
	 for f in e["stack"]] for s, e in zip(stacks, events)),
    stacks[0], events[0]["stack"])
END
for what in number names threads times event frames; do
	is "$(grep "^$what " said | cut -c 1-300)" "$what so" "$what"
done

"$PTRACE_RUN" -q -o log true
is "$(dump_perf 2>err)" "" "without samples there is nothing"
is "$(cat err)" "ptrace-dump: no samples: ptrace-run --sample records them" \
	"which is said"

# events: what the event is called, each name once.
events() {
	dump_perf | sed -n 's/^[^\t].*[0-9] \(cpu-[a-z:]*\): $/\1/p' | sort -u
}
"$VICTIMS/victim-mklog" log <<END
1 7 7 1 49 0 i:999 i:16384 i:1 s:cpu-clock s:
2 7 7 1 48 0x1001 i:0 i:1 i:0
3 7 7 1 48 0x1001 i:0 i:1 i:1
END
is "$(events)" "cpu-clock" "with samples of the kernel: perf's name of those"
"$VICTIMS/victim-mklog" log <<END
1 7 7 1 48 0x1001 i:0 i:1 i:1
END
is "$(events)" "cpu-clock" "though nothing says that they are there"
"$VICTIMS/victim-mklog" log <<END
1 7 7 1 49 0 i:999 i:16384 i:0 s:cpu-timer s:
2 7 7 1 48 0x1001 i:0 i:1 i:0
END
is "$(events)" "cpu-timer:u" "by timers: a name of its own"
"$VICTIMS/victim-mklog" log <<END
1 7 7 1 49 0 i:999 i:16384 i:0 s:cpu-clocks s:
2 7 7 1 48 0x1001 i:0 i:1 i:0
END
is "$(events)" "cpu-clock:u" "by something else: as of perf"
