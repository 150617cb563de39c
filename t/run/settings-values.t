#!/bin/sh
# SPDX-License-Identifier: MIT
# What a process sets for itself is recorded with its values: limits, CPUs, and
# what is done at a signal, whoever records the signals.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 5

cat >said.py <<'END'
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    args = e["args"]
    what = [str(args.get("resource", args.get("signo", "cpus")))]
    what += [args[f].replace("|SA_RESTORER", "") for f in
             ("errno", "limits", "cpus", "actions") if args.get(f)]
    if "cpus" in args:
        what = ["cpus", args["cpus"], str(args["ret"])]
    print(*what)
END
said() {
	"$PTRACE_DUMP" -f json -n "$1" log | python3 said.py
}
run -e process,signal "$VICTIMS/victim-settings" >out
is "$(said process:prlimit)" "$(grep '^RLIMIT\|^99' out)" "limits"
is "$(said process:sched_setaffinity)" "$(grep '^cpus' out)" "CPUs"
is "$(said signal:sigaction)" "$(grep '^SIG' out)" \
	"what is done at a signal, while signals are recorded"
run -e sigaction "$VICTIMS/victim-settings" >out
is "$(said signal:sigaction)" "$(grep '^SIG' out)" "... and while they are not"
like "$("$PTRACE_DUMP" -n signal:sigaction log)" \
	' sigaction\(SIGUSR1\) = 0 \{new \{sa_handler=SIG_IGN' "as text"
