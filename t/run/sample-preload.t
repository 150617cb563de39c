#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # a command for another shell
# Samples without ptrace-run: of a program that loads the library, from there on,
# by the variable PTRACE_SAMPLE; and of what it runs.  Where there are none its
# trace is there all the same.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
need python3
need_samples
plan 9

cat >hot.py <<'END'
import os, sys
def f(n):
	return n if n < 2 else f(n - 1) + f(n - 2)
if len(sys.argv) > 1:
	os.spawnv(os.P_WAIT, sys.executable,
		[sys.executable, "-I", "-S", sys.argv[0]])
print(f(24))
END

# Not a script that looks for one of several versions; and alone (-I -S): what an
# administrator has every start import may go deeper than the part of the stack that
# is looked at.
python=$(python_itself)

# preload VARIABLE COMMAND...: with the library alone, until its log is complete.
preload() {
	rm -f log
	env "LD_PRELOAD=$LIBPTRACE" "PTRACE_OUTPUT=$T/log" "$@" >out 2>err
	echo "$?" >status
	wait_for grep -q . log
	wait_for sh -c '"$PTRACE_DUMP" --info log |
		grep -q "^log-state: *complete"'
}

# sampled: "PROCESSES WHOLE HZ": how many processes with samples there are, and
# have nine of ten stacks their outermost frames?
sampled() {
	"$PTRACE_DUMP" -f json -n cpu:sample -n cpu:sampling log | python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
hz = {e["args"]["hz"] for e in events if e["name"] == "cpu:sampling"}
events = [e for e in events if e["name"] == "cpu:sample"]
good = sum(e["args"]["mode"] == 0 for e in events)
print(len({e["pid"] for e in events}), good >= 0.9 * len(events), *hz)'
}

preload PTRACE_SAMPLE=500 "$python" -I -S hot.py child
is "$(cat status):$(tr '\n' ' ' <out):$(cat err)" "0:46368 46368 :" \
	"output and status are the program's"
is "$(sampled)" "2 True 500" "it and its child are sampled, with whole stacks"
like "$("$PTRACE_DUMP" -f folded log)" \
	'^python3[^;]*;.*main[^;]*;.*[Ee]val[^;]* [0-9]+$' "with names"
preload PTRACE_EVENTS=cpu PTRACE_FOLLOW=0 "$python" -I -S hot.py child
is "$(sampled)" "1 True 999" "by the name of its events, and it alone"

# A monitor without a sampler beside it.
mkdir -p few/libexec/libptrace
ln -s "${LIBPTRACE%/*}" few/lib
monitor=$T/few/libexec/libptrace/ptrace-monitor
cp "$TAP_MONITOR" "$monitor"
preload PTRACE_SAMPLE=1 "PTRACE_MONITOR=$monitor" "$python" -c 'print(7)'
is "$(cat status):$(cat out):$(cat err)" "0:7:" "refused: the program runs"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'reason="?Exec format error' \
	"and why there are none is in the log"
like "$("$PTRACE_DUMP" -f raw log)" 'process:exit' "which has the others"

preload PTRACE_SAMPLE=often "$python" -c 'print(7)'
like "$(cat err)" "^[^ ]*: PTRACE_SAMPLE: 'often' is not a number from 1 to 10000" \
	"what is no number is said"
is "$(sampled)" "0 True" "and has no samples"
