#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl list has the traces of the user that run, whichever way they were
# started, and nothing that is over; a command is for one of them, which can be
# named by its log or its controller.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/ctl.sh"
plan 39

# line PATTERN: the line of `list' that ends so.
line() {
	ptrace-ctl list | grep "$1\$"
}

is "$(ctl list)$(cat out err)" 0 "no trace: nothing"
is "$(ctl list --json)$(cat out err)" 0 "no JSON either"
is "$(ctl stop)" 3 "none to stop: status 3"
is "$(cat err)" "ptrace-ctl: there is no trace of yours" "it is said"

begin "$PTRACE_RUN" -q -o log sh -c "$obey"
is "$(ctl list)$(cat err)" 0 "a trace"
is "$(sed -n 1p out | tr -s ' ')" \
	"CONTROLLER STATE POLICY PROCESSES EVENTS LOSSES LOG" "a heading"
like "$(sed -n '2,$p' out)" \
	"^ *[0-9]+  running +flush +1 +[0-9]+ +0  $T/log\$" "and a line"
like "$(ptrace-ctl list --json)" '^\{"controller":[0-9]+,"state":"running",'\
'"policy":"flush","processes":1,"events":[0-9]+,"losses":0,'"\"log\":\"$T/log\"\}\$" \
	"an object"
pid=$(column controller)
like "$(tr '\0' ' ' <"/proc/$pid/cmdline")" ptrace-monitor "its controller"
for target in log ./log "$T/log" "$T/../${T##*/}/log" "$pid"; do
	is "$(ctl flush "$target")$(cat out err)" 0 "$target"
done
ln -s log link
is "$(ctl flush link)$(cat out err)" 0 "a link to the log"
is "$(ctl list log | sed -n '2,$p'; ctl list none)" 3 "list of one that is none"
is "$(ctl flush log log)$(cat out err)" 0 "several"
is "$(ctl flush none log)" 3 "one of several is none: status 3"
is "$(cat err)" "ptrace-ctl: none: no trace is written to it" "it is said"
is "$(ctl flush $$)" 3 "a process that is none: status 3"
is "$(cat err)" "ptrace-ctl: $$: no trace has this controller" "it is said"

# By the library alone; into a pipe; detached.
mkfifo go
PTRACE_OUTPUT=pre LD_PRELOAD=$LIBPTRACE sh -c 'read x <go' &
wait_for line "$T/pre"
like "$(line "$T/pre")" "running +flush +1 " "one that was preloaded"
is "$(ctl stop)" 2 "now it is not clear which: status 2"
like "$(sed -n 1p err)" "^ptrace-ctl: there are 2 traces: name one of \
[0-9]+ \(.*\), [0-9]+ \(.*\)\$" "they are listed"
is "$(sed -n '2,$p' err)" "try 'ptrace-ctl --help'" "and one more line"
is "$(ctl stop pre)$(cat out err)" 0 "it can be controlled"
like "$(line "$T/pre")" "suspended" "it is suspended"
like "$(line "$T/log")" "running" "the other one is not"
is "$(ctl mark text pre)" 1 "no mark there"
is "$(ctl start pre)" 0 "start"
is "$(ctl mark text pre log)$(cat out err)" 0 "a mark in both"
echo >go
wait $!
wait_for test "$(line pre)" = ""
is "$(line pre)" "" "it is over"
is "$("$PTRACE_DUMP" -f raw -n mark pre | grep -c 'data="text"')" 1 "its mark"

"$PTRACE_RUN" -q -o '|cat >piped' sh -c 'read x <go' &
piped=$!
wait_for line 'cat >piped'
like "$(line 'cat >piped')" running "one into a pipe"
is "$(ctl flush '|cat >piped')" 1 "that is not flushed"
like "$(cat err)" "the log is a pipe" "it is said why"
is "$(ctl mark text '|cat >piped')$(cat out err)" 0 "a mark goes"
echo >go
wait $piped
is "$("$PTRACE_DUMP" -f raw -n mark piped | grep -c 'data="text"')" 1 "it is there"

"$PTRACE_RUN" -q -D -o detached sh -c 'read x <go' &
wait_for line "$T/detached"
is "$(ctl mark text detached)$(cat out err)" 0 "one that is detached"
echo >go
wait $!
end
