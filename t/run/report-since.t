#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --since, --until: the events that ptrace-dump shows with these
# options, processes as far as they lived then, and descriptors that were opened
# before; of a compressed log the same, and not all of it is unpacked.
# shellcheck disable=SC2016 # of the shell that is traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 19

cat >check.py <<'END'
import collections, json, subprocess, sys, os
from report import Log, report, say

path, since, until = sys.argv[1:]
window = ["--since", since, "--until", until]
dump = subprocess.run([os.environ["PTRACE_DUMP"], "-f", "json", *window, path],
                      capture_output=True, check=True, text=True).stdout
wanted = [json.loads(line) for line in dump.splitlines()]
events = report("--events", *window, path)
say("events", {row["event"]: row["count"] for row in events["rows"]},
    dict(collections.Counter(e["name"] for e in wanted)))
say("how many", events["events"], len(wanted))
say("the time", (events["since"], events["until"], events["wall"]),
    (int(float(since) * 1e9 + .5), int(float(until) * 1e9 + .5),
     int(float(until) * 1e9 + .5) - int(float(since) * 1e9 + .5)))
failed = collections.Counter((e["name"], e["args"]["errno"]) for e in wanted
                             if "errno" in e.get("args", {}))
found = collections.Counter()
for row in report(*window, path)["failures"]:
    if row["event"] != "process:exit":
        found[row["event"], row["error"]] += row["count"]
say("what failed", found, failed)
calls = collections.Counter(
    e["name"] for e in wanted if e["name"].startswith(("file:", "io:")))
say("calls", {row["function"]: row["calls"]
              for row in report("--calls", *window, path)["rows"]
              if row["function"] in calls}, dict(calls))
rows = report("--processes", *window, path)["rows"]
log = Log(path)
begun = {}
for e in log.events:
    begun.setdefault(e["pid"], e["at"])
say("processes are there in that time only",
    [row for row in rows if row["start"] < events["since"] or
     row["start"] + row["wall"] > events["until"]], [])
say("all that have events then", sorted({e["pid"] for e in wanted} -
    {row["pid"] for row in rows}), [])
say("what they used is not known of a part",
    [row["pid"] for row in rows if row["user"] is not None and
     begun[row["pid"]] < events["since"]], [])
files = report("--files", *window, path)["rows"]
say("files", sorted(os.path.basename(row["name"]) for row in files
                    if row["read"] == 8),
    ["inside", "opened"])
END
echo 1234567 >before
cp before inside
cp before opened
cp before after
run -e all sh -c 'exec 3<opened; cat before; "$0" since; cat inside; cat <&3
	cat /none; "$0" until; cat after' "$abs_top_builddir/tools/ptrace-event" \
	>/dev/null 2>&1
zstd -q log -o log.zst 2>/dev/null || cp log log.zst
time_of() {
	"$PTRACE_DUMP" -v -n "$1" log | sed -n 's/^ *\([0-9.]*\) .*/\1/p'
}
since=$(time_of since)
until=$(time_of until)
export PTRACE_DUMP
checks log check.py log "$since" "$until"
for view in "" --calls --files --io --events --waits; do
	for log in log log.zst; do
		# shellcheck disable=SC2086 # no view
		"$PTRACE_REPORT" $view --json --since "$since" \
			--until "$until" $log >"out$view.$log"
	done
	cmp "out$view.log" "out$view.log.zst"
	ok $? "the same of a compressed log${view:+: $view}"
done
is "$("$PTRACE_REPORT" --since "$since" --until "$until" log |
	grep -c "^from $(printf %.4f "$since")s to $(printf %.4f "$until")s")" \
	1 "it says which time it is"
is "$("$PTRACE_REPORT" --processes --since "$since" --until "$until" log |
	sed -n 's/.*\.\.cat\[[0-9]*\]//p' | tr -d '\n')" " inside /none" \
	"the tree has who lived then"

is "$(status "$PTRACE_REPORT" --since soon log) $(head -n 1 err)" \
	"2 ptrace-report: --since: no event of log fits 'soon'" \
	"a wrong time"
for option in --memory "--html x" "--sql x" --browse; do
	# shellcheck disable=SC2086 # an option and its argument
	st=$(status "$PTRACE_REPORT" --until 1 $option log)
	[ "$st" = 2 ] || echo "$option: $st"
done >wrong
is "$(cat wrong)" "" "what it is not with"
