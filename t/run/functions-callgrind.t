#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -c counts the calls of each function inside a program that valgrind's
# callgrind counts, which looks at every instruction: of three programs.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" valgrind python3 nm
todo_coverage "counters of gcov within the functions"
valgrind -q --tool=callgrind --callgrind-out-file=counted true 2>err ||
	skip_all "callgrind does not work"
plan 9

cat >compare.py <<'END'
import collections, json, re, sys

program = sys.argv[1]
names = {}
theirs, ours = collections.Counter(), collections.Counter()
caller = callee = function = None
for line in open("counted"):
    named = re.match(r"(c?)(ob|fn)=(\(\d+\))(?: (.*))?$", line)
    if named:
        is_callee, what, number, name = named.groups()
        if name:
            names[what, number] = name
        name = names[what, number]
        if what == "fn":
            function = name if is_callee else function
        elif is_callee:
            callee = name
        else:
            caller, callee = name, None
    if line.startswith("calls="):
        # 'NUMBER is behind the name of a function that calls itself.
        if (callee or caller) == program:
            theirs[function.split("'")[0]] += int(line[6:].split()[0])
        callee = None
for line in sys.stdin:
    args = json.loads(line).get("args", {})
    if "function" in args:
        ours[args["function"]] += args["calls"]
# What has no name is start-up code, as what calls main(); and a function's
# part, to which it jumps, is a function there.
for name in sorted(set(theirs) | set(ours)):
    if name[:2] != "0x" and name[0] != "(" and ".cold" not in name:
        if theirs[name] != ours[name]:
            print(name, theirs[name], ours[name])
print(len(ours), sum(ours.values()), file=open("sums", "w"))
END

# counts NAME FUNCTIONS CALLS COMMAND...: at least so many.
counts() {
	name=$1 functions=$2 calls=$3
	shift 3
	program=$(readlink -f "$1")
	if ! nm "$program" 2>/dev/null | grep -q ' T main$'; then
		skip "$name" "it has no names" 3
		return
	fi
	valgrind -q --tool=callgrind --callgrind-out-file=counted "$@" >plain
	run -c -f '*' "$@" >traced
	is "$(cmp plain traced)" "" "$name: its output"
	is "$(dump -f json | python3 compare.py "$program")" "" \
		"$name: as often as callgrind says"
	read -r nr_functions nr_calls <sums
	[ "$nr_functions" -ge "$functions" ] && [ "$nr_calls" -ge "$calls" ]
	ok $? "... $nr_functions functions, $nr_calls calls"
}

$CC -O2 -o known "$abs_top_srcdir/t/run/functions-known.c" || exit 1
"$PTRACE_RUN" -q -e all -o calls sh -c 'ls / >/dev/null; (:); exec cat /dev/null'
counts "a small one" 9 900 ./known
counts ptrace-dump 150 20000 "$PTRACE_DUMP" --no-symbols calls
counts ptrace-report 150 5000 "$PTRACE_REPORT" --no-symbols calls
