# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of --when and --do, after t/lib/tap.sh and t/lib/run.sh: a traced
# program that does what letters say, one after the other.
victim=$VICTIMS/victim-trigger
mkfifo letters

# begin OPTION...: ptrace-run, into $T/log; what the program says is in said.
begin() {
	rm -f log ./*.ptlog
	"$PTRACE_RUN" -o log "$@" "$victim" <letters >said 2>err &
	front=$!
	exec 5>letters
	nr_told=0
}

has_said() {
	[ "$(wc -c <said)" -ge "$nr_told" ]
}

# tell LETTERS: returns when the program has done all of them.
tell() {
	printf %s "$1" >&5
	nr_told=$((nr_told + ${#1}))
	wait_for has_said
}

# finish: no more letters; $told is the status of ptrace-run.
# shellcheck disable=SC2034 # for the tests
finish() {
	exec 5>&-
	wait "$front"
	told=$?
}

# events NAME [LOG]: a line for each: its name and texts, by bars.
events() {
	"$PTRACE_DUMP" -f json -n "$1" "${2-log}" 2>/dev/null | python3 -c '
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    args = event.get("args", {})
    if event["name"] == "mark":
        print("mark|" + event.get("text", ""))
    elif event["name"].startswith("file:"):
        print(event["name"] + "|" + args["path"])
    else:
        print("|".join([event["name"]] + [str(args[key]) for key in args]))'
}

# order_of NAME...: the paths and numbers of firings of such events in their order.
order_of() {
	for order_name; do
		set -- "$@" -n "$order_name"
		shift
	done
	"$PTRACE_DUMP" -f json "$@" log | python3 -c '
import json, sys
for line in sys.stdin:
    args = json.loads(line)["args"]
    print(args.get("path", args.get("firing")), end=" ")'
}
