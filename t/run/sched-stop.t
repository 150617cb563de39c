#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # for another shell
# A trace that is stopped has nothing of when threads do not run, nor samples, until
# it is started again; what was before is all there, and programs keep their names.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
"$PTRACE_RUN" -q --sched --sample -o log true 2>why ||
	skip_all "the kernel does not tell of switches: $(cat why)"
cat >nap.c <<'EOF'
#include <time.h>

int main(void)
{
	const struct timespec time = {0, 20000000};

	for (volatile long i = 0; i < 50000000; i++)
		;
	return nanosleep(&time, 0);
}
EOF
$CC -O1 -w -o first nap.c || skip_all "the program cannot be built"
cp first second
cp first third
plan 8

cat >told.py <<'EOF'
import json, sys
events = [json.loads(line) for line in sys.stdin]
def at(name):
	return [e["t"] for e in events if e["name"] == name]
naps = {e["program"] for e in events
	if e["name"] == "sched:off" and e["dur"] >= 20e6 and not e["args"]["preempted"]
	and e["program"] in ("first", "second", "third")}
sampled = {e.get("program") for e in events if e["name"] == "cpu:sample"}
print(*sorted(naps))
print(*sorted(sampled & {"first", "second", "third"}))
stops, starts = at("posix_trace_stop"), at("posix_trace_start")
print(sum(stop < t < start for stop, start in zip(stops, starts[1:])
	  for t in at("sched:off") + at("cpu:sample")),
      sum(e["args"]["unknown"] for e in events if e["name"] == "sched:sum"))
EOF
# told: who slept; who computed; events while it was stopped, and times unknown.
told() {
	"$PTRACE_DUMP" -f json log | python3 told.py >told
}

run --sched --sample sh -c './first
	"$PTRACE_CTL" stop "$1" && ./second && "$PTRACE_CTL" start "$1" && ./third' \
	sh "$T/log"
is $? 0 "stopped and started"
told
is "$(sed -n 1p told)" "first third" "who slept while it ran"
is "$(sed -n 2p told)" "first third" "who computed"
is "$(sed -n 3p told)" "0 0" "nothing of meanwhile, and nothing unknown"

run --suspended --sched --sample sh -c './first
	"$PTRACE_CTL" start "$1" && exec ./third' sh "$T/log"
is $? 0 "suspended at first"
told
is "$(sed -n 1p told)" third "who slept then"
is "$(sed -n 2p told)" third "who computed"
is "$(sed -n 3p told)" "0 0" "nothing before, and nothing unknown"
