#!/bin/sh
# SPDX-License-Identifier: MIT
# --do start: nothing is recorded before but what gives names, and what an
# expression can match; everything later.  With stop, it begins anew.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/trigger.sh"
plan 17

all='file,io,process,thread,time'

# await FILE: returns when a trigger's command has made it.
await() {
	wait_for test -e "$1"
	rm -f "$1"
}

# has_fired N: so many times?
has_fired() {
	[ "$("$PTRACE_DUMP" -n trace:trigger log 2>err.dump | wc -l)" = "$1" ]
}

# happened [OPTION...]: paths, functions and spans of the log, in their order.
happened() {
	"$PTRACE_DUMP" -f json -n 'file:*' -n 'io:*' -n 'call:enter' -n 'span:*' \
		-n 'time:*' "$@" log 2>err.dump | python3 -c '
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    args = event["args"]
    if not event["name"].startswith("io:"):
        print(args.get("path", args.get("function", event["name"])), end=" ")'
}

# --- a function is first called
begin -e $all -f parse --when 'function == "parse"' --do start --do 'exec touch now'
tell ooqf
is "$(happened)" "" "nothing yet"
tell p
await now
tell oq
finish
is "$told" 3 "start: the status is the program's"
like "$(happened)" '^parse ((/parse )|)/other span:begin /quick span:end $' \
	"everything from the first call on, but what came before it was started"
is "$(events process:start | wc -l)" 1 "its program has a name"
is "$("$PTRACE_DUMP" -n call:enter log | grep -c 'parse() .*victim-trigger.c')" 1 \
	"so has the function, and its place"
is "$(events trace:trigger | cut -d '|' -f 1-5)" \
	"trace:trigger|1|1|call:enter|start, exec touch now
trace:trigger|1|2|call:exit|start, exec touch now" "the firings"
like "$(cat err)" ', 0 lost, 2 firings, 2 processes,' "nothing is lost"

# --- a call of libc: others of its kind are there before
begin -e $all --when 'name == "file:open" && path == "/parse"' --do start \
	--do 'exec touch now'
tell oqfp
await now
tell sf
finish
is "$(happened -w 'ret == -1 || name ~ "span:*"')" \
	"/other /quick /child /parse span:begin /slow span:end /child " \
	"a type of event that can match, and no other"

# --- never
begin -e $all -f parse --when 'function == "parse"' --do start
tell oqsf
finish
is "$told $(happened)" "3 " "what starts it never comes"
like "$(cat err)" ', 0 firings,' "that is told"

# --- a filter of the user's stays
begin -e $all -x io:write,file:open -f parse --when 'function == "parse"' \
	--do start --do 'exec touch now'
tell op
await now
tell oq
finish
is "$(happened)" "parse span:begin span:end " "-x before, and later"

# --- started, stopped and started again
begin -e $all -f parse --when 'function == "parse" && name == "call:enter"' \
	--do start --when 'path == "/slow"' --do stop
tell qp
wait_for has_fired 1
tell qs
wait_for has_fired 2
tell q
nr_spans=$("$PTRACE_DUMP" -f raw -n span:begin log 2>err.dump | wc -l)
tell p
wait_for has_fired 3
tell q
finish
is "$told" 3 "again: status"
is "$nr_spans $("$PTRACE_DUMP" -f raw -n span:begin log | wc -l)" "2 3" \
	"what comes between is not there"
is "$(events trace:trigger | cut -d '|' -f 2-4)" "1|1|call:enter
2|1|file:open
1|2|call:enter" "each in its turn"

# --- a child starts it, for all
begin -e $all --when 'path == "/child"' --do start --do 'exec touch now'
tell f
await now
tell p
finish
is "$(happened -w 'path == "/child" || path == "/parse"')" "/child /parse " "by a child"
is "$(events process:fork | wc -l)" 1 "which is known"
is "$("$PTRACE_DUMP" --info log | sed -n 's/^lost: *//p')" 0 "nothing is lost"
