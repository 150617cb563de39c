#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --when EXPR --do ACTION: mark, exec and stop, of several triggers, in
# a child, too; each firing is an event and counted; the program's output and
# status are its own.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/trigger.sh"
plan 30

# --- mark, of a call that failed
begin -e file --when 'path == "/other"' --do 'mark other one'
tell opo
finish
is "$told" 3 "mark: the status is the program's"
is "$(cat said)" '>>>' "mark: so is its output"
is "$(events mark)" "mark|other one
mark|other one" "mark: each time"
is "$(events trace:trigger)" 'trace:trigger|1|1|file:open|mark other one|path == "/other"
trace:trigger|1|2|file:open|mark other one|path == "/other"' \
	"mark: the firings are events"
like "$(cat err)" ', 0 lost, 2 firings, 1 process,' "mark: they are counted"

# --- at the thread and the time of what has matched
is "$(order_of file:open trace:trigger)" "/other 1 /parse /other 2 " \
	"a firing is behind its event, also later"
is "$("$PTRACE_DUMP" -f json -n file:open -n trace:trigger log |
	sed -E 's/.*"pid":([0-9]+),"tid":([0-9]+).*/\1 \2/' | sort -u | wc -l)" 1 \
	"and one of its thread"

# --- none
begin -e file --when 'path == "/none"' --do 'mark none'
tell op
finish
is "$told" 3 "nothing matches: status"
is "$(events mark)$(events trace:trigger)" "" "nothing is done"
like "$(cat err)" ', 0 firings,' "and told"

# --- exec: by the controller, once
begin -e file,process --when 'path == "/parse"' \
	--do 'exec env >env.new; mv env.new env.there'
tell p
wait_for test -e env.there
ok $? "exec: a command runs while the program does"
is "$(sed -n -e 's/^PTRACE_LOG=//p' -e 's/^PTRACE_WHEN=//p' \
	-e 's/^PTRACE_EVENT=//p' -e 's/^PTRACE_TRIGGER=//p' env.there | sort)" \
	"$(printf '%s\n' "$(readlink -f log)" 'path == "/parse"' file:open 1 |
	sort)" "exec: knows why"
is "$(sed -n 's/^PTRACE_PID=//p' env.there)" \
	"$("$PTRACE_DUMP" -f raw -n file:open log 2>err.dump | head -n 1 |
	cut -d ' ' -f 2 | cut -d / -f 1)" \
	"exec: and of whom"
is "$(grep -c '^LD_PRELOAD=' env.there)" 0 "exec: it is not traced"
rm env.there
tell pppp
finish
is "$told" 3 "exec: status"
like "$(cat err)" ', 5 firings,' "exec: each is counted"
is "$(events process:start | wc -l)" 1 "exec: it is no process of the trace"

# --- stop: later events are not there
begin -e file --when 'path == "/parse"' --do stop --do 'exec touch stopped'
tell p
wait_for test -e stopped
tell oo
finish
is "$told" 3 "stop: status"
is "$(events file:open)" "file:open|/parse" "stop: nothing is recorded later"

# --- several, one of them in a child
begin -e file,process --when 'path == "/child"' --do 'mark a child' \
	--when 'name == "process:fork"' --do 'mark forked' \
	--when 'path == "/other" || path == "/child"' --do 'mark both'
tell fo
finish
is "$told" 3 "several: status"
is "$(events mark | sort)" "mark|a child
mark|both
mark|both
mark|forked" "several: each by itself"
like "$(cat err)" ', 4 firings, 2 processes,' "several: counted together"

# --- spans, program, function
begin -f parse -e process --when 'name == "span:end" && dur > 500ms' --do 'mark slow' \
	--when 'function == "parse" && name == "call:enter"' --do 'mark parsing'
tell qsqp
finish
is "$told" 3 "spans and functions: status"
is "$(events mark | sort)" "mark|parsing
mark|slow" "how long a span took, and a function by its name"

# --- a program that ends at once
is "$(status "$PTRACE_RUN" -o log -e process --when 'name == "process:exit"' \
	--do 'mark end' true)" 0 "a short program"
is "$(events mark)" "mark|end" "what it did last fires, too"
is "$(status "$PTRACE_RUN" -q -o log -e process --when 'name == "process:exit"' \
	--do 'mark end' true)$(cat err)" 0 "-q: nothing is said"

# --- nor does its end wait for who looks, nor that for the end: 2 s, if so
for _ in 1 2 3 4 5 6 7 8; do
	"$PTRACE_RUN" -q -o log -e process --when 'name == "process:exit"' \
		--do 'mark end' true
	"$PTRACE_DUMP" -f json -n process:exit -n mark log |
		sed 's/.*"t":\([0-9]*\).*/\1/' | tr '\n' ' '
	echo
done >took
is "$(awk 'NF != 2 || $2 - $1 > 1900000000' took)" "" \
	"a short program is not held up"

# --- who marks a trace is no process of the command, unless it does more
# report: how many processes, and which programs.
report() {
	"$PTRACE_REPORT" --json log | python3 -c '
import json, sys
got = json.load(sys.stdin)
print(got["processes"], got["cpu_is_least"],
      *sorted(row["program"] for row in got["rows"]))'
}
is "$(report)" "1 False true" "marks are of no process that is reported"
"$PTRACE_RUN" -q -o log -e process sh -c "exec '$PTRACE_EVENT' mark"
is "$(report)" "1 False ptrace-event sh" "marks of a program are"
