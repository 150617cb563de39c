#!/bin/sh
# SPDX-License-Identifier: MIT
# Logs of several hosts: each event says where it was recorded, their order is
# that of CLOCK_REALTIME, and how far the clocks may be apart is said once.  Logs
# of one boot are in order whenever the clock was set.
# shellcheck disable=SC2016 # the command expands its variables
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 38

PATH=${PTRACE_EVENT%/*}:$PATH
patch_log=$abs_top_srcdir/t/run/patch-log
hour=3600000000000
m1=11111111111111111111111111111111 m2=22222222222222222222222222222222
# Two logs of the same time, with events in turn.
mkfifo go back
"$PTRACE_RUN" -q -o first sh -c 'ptrace-event a; echo >go; read x <back
	ptrace-event c; echo >go; read x <back; ptrace-event e' &
"$PTRACE_RUN" -q -o second sh -c 'read x <go; ptrace-event b; echo >back
	read x <go; ptrace-event d; echo >back'
wait
# marks LOG...: their events, in order, with the hosts.
marks() {
	"$PTRACE_DUMP" -f json -n '[a-e]' "$@" 2>err | python3 -c 'import json, sys
print(*[e.get("host", "") + ":" + e["name"] for e in map(json.loads, sys.stdin)])'
}
is "$(marks first second)" ":a :b :c :d :e" "one host: in turn, and no name"
is "$(cat err)" "" "... nothing to say"
"$PTRACE_DUMP" -n '[a-e]' first second >text
is "$(grep -c " $(uname -n) " text)" 0 "... no column"

"$patch_log" first alpha host=alpha boot=1 "machine=$m1"
"$patch_log" second beta host=beta boot=2 "machine=$m2"
is "$(marks alpha beta)" "alpha:a beta:b alpha:c beta:d alpha:e" "two hosts"
is "$(wc -l <err)" 1 "... one line about their clocks"
"$PTRACE_DUMP" -n '[a-e]' alpha beta >text 2>err
is "$(sed 's/^ *[0-9.]* *\([a-z]*\)  *\([a-z-]*\)\[.*/\1 \2/' text)" \
	"alpha ptrace-event
beta ptrace-event
alpha ptrace-event
beta ptrace-event
alpha ptrace-event" "... a column in text"
is "$(sed 's/\].*//' text | awk '{ print index($0, "ptrace") }' | sort -u |
	wc -l)" 1 "... aligned"
like "$(cat err)" '^ptrace-dump: logs of 2 hosts; .* not known$' \
	"... of which nothing is known"
"$PTRACE_DUMP" -f json alpha beta 2>/dev/null >both
is "$("$abs_top_srcdir/t/run/check-schema" \
	"$abs_top_srcdir/tools/dump/event.schema.json" both)" \
	"$(wc -l <both | tr -d ' ')" "... valid JSON"
is "$(sed 's/.*"ts":"\([0-9.]*\)".*/\1/' both | sort -c -n 2>&1)" "" \
	"... in order of time"

# What is selected by the host, and how exports name it.
is "$("$PTRACE_DUMP" -f json -n '[a-e]' -w 'host == beta' alpha beta \
	2>/dev/null | sed 's/.*"name":"//; s/".*//' | tr '\n' ' ')" "b d " \
	"-w 'host == beta'"
is "$("$PTRACE_DUMP" -f raw -n '[a-e]' -w 'host ~ al*' alpha 2>&1 | wc -l)" 3 \
	"... also of one log"
is "$("$PTRACE_DUMP" -f json -n '[a-e]' -w "host != alpha" first 2>&1 |
	grep -c '"host"')" 0 "... which does not show it"
names() {
	"$PTRACE_DUMP" -f chrome "$@" 2>/dev/null | python3 -c 'import json, sys
print(*sorted({e["args"]["name"] for e in json.load(sys.stdin)["traceEvents"]
               if e["name"] == "process_name"}), sep="|")'
}
is "$(names alpha beta)" \
	"alpha: ptrace-event|alpha: sh|beta: ptrace-event|beta: sh" \
	"chrome: host and program"
is "$(names alpha)" "ptrace-event|sh" "... of one host the program"
"$PTRACE_DUMP" -f perfetto -o export alpha beta 2>/dev/null
is "$(grep -a -o '\(alpha\|beta\): [a-z-]*' export | sort -u | tr '\n' '|')" \
	"alpha: ptrace-event|alpha: sh|beta: ptrace-event|beta: sh|" "perfetto"
is "$("$PTRACE_DUMP" -f folded -n '[a-e]' alpha beta 2>/dev/null)" \
	"alpha;ptrace-event;a 1
alpha;ptrace-event;c 1
alpha;ptrace-event;e 1
beta;ptrace-event;b 1
beta;ptrace-event;d 1" "folded: the host is outermost"
"$PTRACE_DUMP" -f ctf -o traces alpha beta 2>/dev/null
is "$(sed -n 's/.*hostname = //p' traces/1/metadata traces/2/metadata |
	tr '\n' ' ')" '"alpha"; "beta"; ' "ctf: each trace has its own"

"$patch_log" alpha alpha sync=1 error=1000000
"$patch_log" beta beta sync=1 error=2500000
marks alpha beta >/dev/null
is "$(cat err)" \
	"ptrace-dump: logs of 2 hosts, whose clocks may be up to 3.50ms apart" \
	"clocks that are kept right"
"$PTRACE_REPORT" alpha beta >/dev/null 2>err
like "$(cat err)" '^ptrace-report: logs of 2 hosts, whose clocks .* 3.50ms apart' \
	"... ptrace-report says it"
"$patch_log" beta gamma host=gamma boot=3 sync=2 error=16000000
marks alpha beta gamma >/dev/null
like "$(cat err)" 'logs of 3 hosts; .* not known$' "one of them is not kept"
"$patch_log" beta container boot=1 host=box
is "$(marks alpha container) $(cat err)" "alpha:a box:b alpha:c box:d alpha:e " \
	"a container has a name of its own, and the clock of its machine"
"$patch_log" beta twin host=alpha
is "$(marks alpha twin)" "alpha:a alpha#2:b alpha:c alpha#2:d alpha:e" \
	"another machine of the same name"
"$patch_log" twin again "machine=$m1"
is "$(marks alpha again) $(cat err)" ":a :b :c :d :e " "the same machine again"
"$patch_log" beta early "later=-$hour"
is "$(marks alpha early)" "beta:b beta:d alpha:a alpha:c alpha:e" \
	"another host's clock is another hour's"

# The clock was set an hour forward between the two.
"$patch_log" second late "later=$hour" "offset=$hour"
is "$(marks first late) $(cat err)" ":a :b :c :d :e " "one boot: the clock was set"
"$PTRACE_DUMP" -f json first second >before
"$PTRACE_DUMP" -f json first late >after
cmp -s before after
ok $? "... the times are those of the first log"
ts=$(sed -n 's/.*"ts":"\([0-9.]*\)".*"name":"b".*/\1/p' before)
is "$("$PTRACE_DUMP" -f json --since "@$ts" --until "@$ts" first late)" \
	"$(grep "\"ts\":\"$ts\"" before)" "... also for --since and --until"
"$patch_log" late unknown no-offset=1
is "$(marks first unknown)" ":a :c :e :b :d" "... by how much must be known"
is "$(marks alpha late beta)" \
	"alpha:a beta:b alpha:c beta:d alpha:e $(uname -n):b $(uname -n):d" \
	"... another host's clock was not set"

"$PTRACE_DUMP" --info beta >info
is "$(sed -n -E 's/^(host|machine-id|boot-id|clock-error): +//p' info |
	tr '\n' ' ')" "beta $m2 2 2500000 " "--info"
"$patch_log" beta nothing machine= sync=0 boot=
is "$("$PTRACE_DUMP" --info -f json nothing |
	grep -o '"\(machine-id\|boot-id\|clock-error\)":[^,]*' | tr '\n' ' ')" \
	'"machine-id":null "boot-id":null "clock-error":null ' \
	"what is not known is null"
is "$(marks nothing)" ":b :d" "... and the log is read all the same"

# Hosts that are real, as far as a name makes one.
if unshare -u true 2>/dev/null; then
	unshare -u sh -c 'echo "$1" >/proc/sys/kernel/hostname && shift &&
		exec "$@"' sh other.host "$PTRACE_RUN" -q -o 'uts.%h' \
		ptrace-event b 2>err
	is "$(marks first uts.other.host | tr ' ' '\n' | grep -c other.host:b)" 1 \
		"the name of the UTS namespace" || diag "$(cat err; ls)"
else
	skip "the name of the UTS namespace" "unshare -u is not allowed"
fi

# Through a pipe, as ssh is one.
"$PTRACE_RUN" -q -o '|cat' ptrace-event b 2>err | "$PTRACE_DUMP" -f raw - >piped
is "$(cut -d ' ' -f 3 piped | grep -c -x b) $(cat err)" "1 " "-o '|cat', into -"
"$PTRACE_RUN" -q -o - sh -c 'echo output; ptrace-event b' 2>err |
	"$PTRACE_DUMP" -f raw - >piped
is "$(cut -d ' ' -f 3 piped | grep -c -x b) $(cat err)" "1 output" \
	"-o -, with output, into -"
is "$("$PTRACE_DUMP" -f json -n b - alpha <beta 2>/dev/null |
	grep -c '"host":"beta"')" 1 "a host's log through a pipe, beside another"
is "$(marks alpha beta | wc -w)" 5 "nothing is lost"
