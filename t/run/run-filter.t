#!/bin/sh
# SPDX-License-Identifier: MIT
# What is recorded is what was asked for.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 28

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

# Calls and classes, as strace has them; what is added to the default.
# families: those that were recorded, but for what names need
families() {
	names -n '*:*' | sed '/^dl:map$/d;/^dl:unmap$/d;/^process:program$/d;s/:.*//' |
		sort -u | tr '\n' ' '
}
types() {
	names -n '*:*' | sed '/^dl:map$/d;/^dl:unmap$/d;/^process:program$/d' |
		sort -u | tr '\n' ' '
}
run -e +file cat /etc/passwd >/dev/null
is "$(families)" "file process " "+file adds to the default"
run -e +io -e +file cat /etc/passwd >/dev/null
is "$(families)" "file io process " "... twice"
run -e file,io cat /etc/passwd >/dev/null
is "$(families)" "file io " "without a sign it does not"
run -e openat cat /etc/passwd >/dev/null
is "$(types)" "file:open " "openat"
run -e trace=openat,read cat /etc/passwd >/dev/null
is "$(types)" "file:open io:read " "trace=openat,read"
run -e 'file,!file:open' cat /etc/passwd >/dev/null
is "$(count file:open)" 0 "!file:open"
[ "$(count file:close)" -ge 1 ]
ok $? "... of the family the others"
run -e '!open' cat /etc/passwd >/dev/null
is "$(count file:open)" 0 "!open first"
[ "$(count io:read)" -ge 1 ]
ok $? "... everything else"
run -e '!open,file' cat /etc/passwd >/dev/null
[ "$(count file:open)" -ge 1 ]
ok $? "the family behind it counts"
run -e %file,desc cat /etc/passwd >/dev/null
is "$(families)" "file io " "classes"
run -e %memory cat /etc/passwd >/dev/null
is "$(families)" "mem " "... of another name than the family"
run -e execve,exit_group sh -c 'true; /bin/true'
is "$(types)" "process:exec process:exit " "processes, by strace's names"
run -e read --io-data 8 cat /etc/passwd >/dev/null
is "$(dump | grep -c ' io:read .*data="')" "$(count io:read)" "a call of io has its data"
