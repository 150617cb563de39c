#!/bin/sh
# SPDX-License-Identifier: MIT
# --follow shows what is written while it looks, each event once, and ends when
# the trace does, whatever ends it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 15

PATH=${PTRACE_EVENT%/*}:$PATH
mkfifo go

# Traced is a shell that records an event for each line of the pipe.
# shellcheck disable=SC2016 # for another shell
"$PTRACE_RUN" -q -o log sh -c 'while read -r word; do
	ptrace-event "$word"
done' <go &
traced=$!
exec 3>go
echo first >&3
wait_for test -s log
"$PTRACE_DUMP" --follow log >text 2>err 3>&- &
follower=$!
wait_for grep -q ' first ' text
ok $? "what was there already"
echo second >&3
wait_for grep -q ' second ' text
ok $? "what comes"
echo third >&3
wait_for grep -q ' third ' text
ok $? "and what comes then"
kill -0 "$follower"
ok $? "it waits"
exec 3>&-
wait "$traced"
wait "$follower"
is "$? $(cat err)" "0 " "it ends when the trace does"
"$PTRACE_DUMP" log >whole
is "$(sort text)" "$(sort whole)" "all events, each once"
is "$("$PTRACE_DUMP" --follow log)" "$(cat whole)" "of a log that is complete"
is "$("$PTRACE_DUMP" -f json --follow log)" "$("$PTRACE_DUMP" -f json log)" \
	"in JSON, too"

# One who has seen enough: while nothing comes, too.
"$PTRACE_RUN" -q -o idle sh -c 'ptrace-event once; read -r word' <go &
traced=$!
exec 3>go
wait_for test -s idle
"$PTRACE_DUMP" --follow idle >text 2>err 3>&- &
follower=$!
wait_for grep -q ' once ' text
kill -TERM "$follower"
wait_for is_ended "$follower"
ok $? "it ends by a signal at once"
wait "$follower"
is $? 143 "with its status"
exec 3>&-
wait "$traced"

# Calls do not wait for their ends.
"$VICTIMS/victim-mklog" log <<-END
	1000 10 10 0 240 0 x:1 s:f s:lib s:iis
	2000 10 10 0 248 0 x:1 x:42 x:0 x:2 x:0x6968
	2500 10 12 0 25 0
	3000 10 10 0 249 0 x:1 x:7
	END
is "$("$PTRACE_DUMP" --follow log | tr -s ' ')" ' 0.000001 ?[10] f(42, "hi")
 0.000001 ?[10/12] thread ends
 0.000002 1.00us ?[10] f() = 7 began 0.000001' "begin and end are two lines"

# Its controller is killed, for good: the log is completed, and that is the end.
"$PTRACE_RUN" -q -o killed sh -c 'ptrace-event there; echo >ready; read -r word' \
	<go 2>/dev/null &
traced=$!
exec 3>go
wait_for test -s ready
"$PTRACE_DUMP" --follow killed >text 2>err 3>&- &
follower=$!
wait_for grep -q ' there ' text
monitor=$("$PTRACE_CTL" list --json |
	sed -n 's/.*"controller":\([0-9]*\).*killed.*/\1/p')
# shellcheck disable=SC2046 # two processes
kill -9 $(guarded "$monitor")
ok $? "a controller is killed"
exec 3>&-
wait "$traced"
wait "$follower"
like "$? $(tail -n 1 text)" '^[01] .*(exit|ends|there)' \
	"then it ends, too"

# A ring that comes round overwrites what was not read.
"$PTRACE_RUN" -q -m 64K --log-policy loop -o ring sh -c "read -r word
	'$VICTIMS/victim-ticks' 20000" <go &
traced=$!
exec 3>go
wait_for test -s ring
"$PTRACE_DUMP" -f raw --follow ring >text 2>err 3>&- &
follower=$!
wait_for grep -q process:start text
echo go >&3
exec 3>&-
wait "$traced"
wait "$follower"
is "$? $(cat err)" "1 ptrace-dump: ring: it came round while it was followed: \
what was written since was not shown" "a ring that came round: says so"
is "$("$PTRACE_DUMP" --follow ring 2>&1 >/dev/null)" "" "... only then"
