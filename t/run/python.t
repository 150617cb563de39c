#!/bin/sh
# SPDX-License-Identifier: MIT
# Python reads events as objects.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 13

PYTHONPATH=$abs_top_srcdir/scripts PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
make_logs
ok $? "recorded"
# py LINE...: a program; what it prints.
py() {
	printf '%s\n' 'import ptrace, sys' "$@" >program.py
	python3 program.py 2>err
}
is "$(py 'print(len(list(ptrace.events("calls"))))')" \
	"$(json calls | wc -l | tr -d ' ')" "all events of a log"
is "$(py 'print(len(list(ptrace.events("two.1", "two.2"))))')" \
	"$(json two.1 two.2 | wc -l | tr -d ' ')" "... of two"
is "$(json calls | py 'print(len(list(ptrace.read(sys.stdin))))')" \
	"$(json calls | wc -l | tr -d ' ')" "lines on standard input"
is "$(py 'for e in ptrace.events("user", options=["--raw"]):
    if e.name in ("db:query", "text"):
        print(e.name, e.program, e.args.path, e.args.bytes, e.args.get("class"),
              e.args.nothing, e.dur, e.data[:5], e.stack, e.ns > 10 ** 18)')" \
	"text victim-events None None None None None b'hello' [] True
text ptrace-event None None None None None b'a tex' [] True
db:query ptrace-event /x -3 y;z None None b'/x\\x00y;' [] True" \
	"members, arguments, and what is not there" ||
	diag "$(cat err)"
is "$(py 'print(*{e.name for e in ptrace.events("user", name=["db:*", "t*"])})' |
	tr ' ' '\n' | sort | tr '\n' ' ')" "db:query text " "selected by name"
is "$(py 'e = next(ptrace.events("stacks", name="mem:*"))
print(len(e.stack) > 1, e.dur >= 0)')" "True True" \
	"the first only: stacks, durations"
is "$(cat err)" "" "... and ptrace-dump has nothing to complain about"
is "$(py 'import warnings
warnings.simplefilter("error")
try:
    for e in ptrace.events("cut"):
        last = e
except ptrace.Incomplete as error:
    print(last.name != "", error)')" \
	"True $("$PTRACE_DUMP" -f json cut 2>&1 >/dev/null)" \
	"half of a log: its events, then a warning"
is "$(py 'try:
    list(ptrace.events("none"))
except ptrace.Error as error:
    print(error)')" "ptrace-dump: none: No such file or directory" "no log"
is "$(py 'try:
    list(ptrace.events("calls", pid="x"))
except ptrace.Error as error:
    print(str(error).count("\n"))')" 1 "wrong usage"

# The example of ptrace-dump(1): who wrote this file?
sed -n '/^import sys, ptrace/,/^\.EE/p' "$abs_top_srcdir/man/ptrace-dump.1" |
	sed -e '/^\.EE/d' -e 's/\\e/\\/g' -e 's/\\-/-/g' -e 's/\\(dq/"/g' >who.py
is "$(grep -c . who.py)" 10 "ten lines ..."
run -e file,process sh -c 'echo x >made.txt; cat made.txt >/dev/null
	cp made.txt other.txt; cp other.txt made.txt'
is "$(python3 who.py log made.txt 2>&1 | sed 's/[0-9][0-9]*/N/')" \
	"sh[N] sh -c echo x >made.txt; cat made.txt >/dev/null
	cp made.txt other.txt; cp other.txt made.txt
cp[N] cp other.txt made.txt" "... answer who wrote a file"
