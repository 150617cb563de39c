#!/bin/sh
# SPDX-License-Identifier: MIT
# What is recorded is what was asked for.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 14

PATH=${PTRACE_EVENT%/*}:$PATH
two='ptrace-event mine one; ptrace-event other two'

run sh -c "$two; sh -c :"
[ "$(count process:start)" -ge 2 ]
ok $? "processes by default"
is "$(count mine)" 1 "and user events"
[ "$(count dl:map)" -ge 1 ]
ok $? "and what is mapped"

run -e none sh -c "$two"
is "$(names | grep -c ':')" 0 "none: no system events"
is "$(count mine)" 1 "none: but user events"
is "$(count 'posix_trace_st.*')" 2 "none: and the standard's"
run -e '!dl' sh -c "$two"
is "$(count dl:map)" 0 "!dl"
[ "$(count process:start)" -ge 1 ]
ok $? "!dl: but all others"
run -e dl sh -c "$two"
is "$(count 'process:.*')" "$(count process:program)" \
	"dl: of processes their names"

run -x mine -x process:exit sh -c "$two"
is "$(count mine)" 0 "-x of a user event"
is "$(count other)" 1 "not of others"
is "$(count process:exit)" 0 "-x of a system event"

run -F sh -c "$two"
is "$(count mine)" 0 "-F: children are not traced"
is "$(find . -name '*.ptlog')" "" "nor by themselves"
