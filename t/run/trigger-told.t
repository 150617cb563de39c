#!/bin/sh
# SPDX-License-Identifier: MIT
# What triggers did is told: a line of text, lines of the report; and a name in an
# expression that no event has.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 9

run -e file --when 'path ~ "/none/*"' --do 'mark found' \
	sh -c 'cat /none/one; cat /none/two' 2>/dev/null
like "$("$PTRACE_DUMP" -n trace:trigger log | head -n 1)" \
	"trigger 1, time 1: file:open matches 'path ~ \"/none/\*\"'; 'mark found'" \
	"text"
"$PTRACE_REPORT" log >report
nr=$("$PTRACE_DUMP" -f raw -n trace:trigger log | wc -l)
if [ "$nr" -gt 1 ]; then
	like "$(cat report)" "^trigger 1 fired $nr times, from [0-9.]+s to [0-9.]+s:" \
		"the report"
else
	like "$(cat report)" "^trigger 1 fired at [0-9.]+s:" "the report"
fi
is "$(grep -c '^trigger' report)" 1 "a line for each"
is "$("$PTRACE_REPORT" --json log | python3 -c '
import json, sys
for t in json.load(sys.stdin)["triggers"]:
    print(t["trigger"], t["when"], t["do"], t["fired"], t["first"] <= t["last"])
')" "1 path ~ \"/none/*\" mark found $nr True" "as JSON"
"$PTRACE_RUN" -q -o log true
is "$("$PTRACE_REPORT" log | grep -c '^trigger')" 0 "nothing without"

said() {
	"$PTRACE_RUN" -o log -e file --when "$1" --do 'mark x' true 2>&1 |
		grep -c 'no event has a field'
}
is "$(said 'paht == "/none"')" 1 "a name that no event has"
is "$(said 'path == "/none" && ret < 0 && dur > 1ms && rank == 1')" 0 \
	"names that some have"
is "$(said 'arg1 == 3 || function == "f"')" 0 "those of arguments"
is "$("$PTRACE_RUN" -q -o log -e file --when 'paht' --do 'mark x' true 2>&1)" "" \
	"nothing with -q"
