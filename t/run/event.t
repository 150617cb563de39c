#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-event records a user event, and is silent when nobody traces.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 56

is "$(status "$PTRACE_EVENT" name data)" 0 "nobody traces"
is "$(cat out err)" "" "nothing is said"
is "$(status "$PTRACE_EVENT")" 2 "no name"
is "$(cat err)" "ptrace-event: which NAME?
try 'ptrace-event --help'" "two lines"
is "$(status "$PTRACE_EVENT" -x)" 2 "an option that it has not"
is "$(wc -l <err)" 2 "two lines"
is "$(status "$PTRACE_EVENT" a b c)" 2 "too many"
long=$(printf '%0300d' 0)
is "$(status "$PTRACE_EVENT" "$long")" 1 "a name too long"
is "$(wc -l <err)" 1 "one line says so"
is "$(status "$PTRACE_EVENT" "${long%?????????????????????????????????????????????}")" \
	0 "the longest name"

PATH=${PTRACE_EVENT%/*}:$PATH
run sh -c 'ptrace-event first; ptrace-event second "some data";
	ptrace-event -- -third "x y"'
is "$(names | grep -x -e first -e second -e -third)" "first
second
-third" "three events"
like "$(dump -n second)" ' second data="some data" @ ' "data"
is "$(dump -n first | sed 's/.* first//; s/ @.*//')" "" "no data"
is "$(dump -n first -n second | cut -d ' ' -f 2 | sort -u | wc -l)" 2 "each from its own process"

# KEY=VALUE pairs.
run -e process sh -c 'ptrace-event build target=all jobs=4 took=1.5 ok=
	ptrace-event build target=2 jobs=-5 took=3 ok=1
	ptrace-event one a=b; ptrace-event two "a=b c" d=" e" _f=0x10 g=1e3'
is "$(dump -f json -n build | sed 's/.*"args"://')" \
	'{"target":"all","jobs":4,"took":1.5,"ok":""}}
{"target":"2","jobs":-5,"took":3,"ok":"1"}}' "fields keep their types"
is "$(dump -f json -n one | sed 's/.*"args"://')" '{"a":"b"}}' "one pair"
is "$(dump -f json -n two | sed 's/.*"args"://')" \
	'{"a":"b c","d":" e","_f":16,"g":1000}}' "numbers and text"
like "$(dump -n build | head -n 1)" ' build target="all" jobs=4 took=1.5 ok="" @ ' \
	"text"
like "$(dump --info --types)" ' build target:s jobs:i took:f ok:s' \
	"the log has the fields"
is "$(status "$PTRACE_EVENT" build a=1 b=x)" 0 "nobody traces"
is "$(cat out err)" "" "nothing is said"
run sh -c 'ptrace-event type a=x; ptrace-event type a=x b=2' 2>err
is "$(cat err)" "ptrace-event: type: this event type has other fields already" \
	"other fields for the same type"
run -x type sh -c 'ptrace-event type a=1' 2>err
is "$(cat err) $(count type)" " 0" "a type that is filtered"

# refused PATTERN ARGUMENT...
refused() {
	pattern=$1
	shift
	is "$(status "$PTRACE_EVENT" "$@")" 2 "$*: status 2"
	like "$(head -n 1 err)" "^ptrace-event: .*$pattern" "$*: what is wrong"
}
refused 'own events' process:mine a=1
refused 'own events' posix_trace_x
refused 'empty NAME' ''
refused 'more than 16' n a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 \
	n=1 o=1 p=1 q=1

# Spans.
is "$(status "$PTRACE_EVENT" --span s -- sh -c 'echo out; exit 3')" 3 \
	"a command's status, where nobody traces"
is "$(cat out err)" "out" "nothing else is said"
is "$(status "$PTRACE_EVENT" --begin s a=1) $(cat out err)" "0 0" "no number"
is "$(status "$PTRACE_EVENT" --end 0) $(cat out err)" "0 " "nothing to end"
is "$(status "$PTRACE_EVENT" --span s a=1 sh -c 'kill -9 $$')" 137 \
	"a command that is killed"
is "$(status env --ignore-signal=CHLD "$PTRACE_EVENT" --span s -- sh -c 'exit 3')" \
	3 "where nobody waits for children"
is "$(env --ignore-signal=CHLD "$PTRACE_EVENT" --span s -- \
	sed -n 's/^SigIgn.*\(.\)....$/\1/p' /proc/self/status)" 1 \
	"... which the command sees as it was"
is "$(status "$PTRACE_EVENT" --span s -- no-such-command)" 127 "none"
is "$(status "$PTRACE_EVENT" --span s -- /)" 126 "none that can be executed"

run sh -c 'ptrace-event --span step kind=x jobs=2 -- sh -c "exit 7"
	echo $? >status
	span=$(ptrace-event --begin script "some data")
	ptrace-event --end "$span"; echo "$span" >span
	ptrace-event --begin never; ptrace-event --span typed a=1 -- true
	ptrace-event --span typed b=1 -- sh -c "exit 5"; echo $? >>status' >/dev/null 2>err
is "$(tr '\n' ' ' <status)" "7 5 " "statuses, traced"
is "$(cat err)" "ptrace-event: typed: this event type has other fields already" \
	"a command without a span"
is "$(dump -f json -n span:end -w 'type == step' | grep -c '"dur":[1-9].*"kind":"x","jobs":2')" \
	1 "a span around a command"
is "$(dump -f json -n span:end -w 'type == script' | grep -c '"dur":[1-9].*"data":"some data"')" \
	1 "begun and ended"
is "$(dump -f json -n span:begin -w "span == $(cat span)" | grep -c '"type":"script"')" \
	1 "by the number that was printed"
is "$(dump -f json | grep -c '"name":"span:open".*"type":"never"')" 1 "left open"

refused 'which NAME' --span
refused 'which COMMAND' --span s a=1 --
refused 'not a NUMBER' --end x
refused 'which NUMBER' --end
refused 'own events' --begin span:mine
