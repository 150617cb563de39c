#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl start, stop, flush, clear, filter and mark, and ptrace-run
# --suspended: what is recorded when, and the program does not notice.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/ctl.sh"
plan 43

# in_log NAME...: the events of these names that are in the log by now.
in_log() {
	names 2>err.dump | grep -x -E "$(echo "$*" | tr ' ' '|')" | tr '\n' ' '
}

begin "$PTRACE_RUN" -q -o log --suspended sh -c "$obey; exit 7" 2>err.run
is "$(column state)" suspended "--suspended: it is suspended"
order 'ptrace-event before'
is "$(ctl mark early)" 1 "no mark then: status 1"
is "$(cat err)" "ptrace-ctl: mark: trace $(column controller): the trace does \
not run" "it is said"
is "$(ctl start)$(cat out err)" 0 "start"
is "$(column state)" running "it runs"
is "$(ctl start)$(cat out err)" 0 "start again"
order 'ptrace-event first'
is "$(ctl mark 'a  text')$(cat out err)" 0 "mark"
is "$(ctl stop)$(cat out err)" 0 "stop"
is "$(column state)" suspended "it is suspended"
order 'ptrace-event between'
is "$(ctl stop)$(cat out err)" 0 "stop again"
is "$(ctl start)" 0 "start"
order 'ptrace-event second'
is "$(ctl flush)$(cat out err)" 0 "flush"
is "$(in_log before first mark between second posix_trace_start \
	posix_trace_stop)" \
	"posix_trace_start first mark posix_trace_stop posix_trace_start second " \
	"what was recorded while it ran is in the log"
is "$(dump -n mark 2>err.dump | sed 's/.* mark //; s/ @.*//')" 'data="a  text"' \
	"the mark has its text"
is "$(column losses)" 0 "nothing is lost"

is "$(ctl filter add second)$(cat out err)" 0 "filter add"
order 'ptrace-event second; ptrace-event third'
is "$(ctl filter sub second)$(cat out err)" 0 "filter sub"
order 'ptrace-event second; ptrace-event fourth'
is "$(ctl flush)" 0 "flush"
is "$(in_log second third fourth)" "second third second fourth " \
	"a type that was filtered, and was not any more"
is "$(ctl filter add 'f?urth' third)$(cat out err)" 0 "a pattern, and a name"
order 'ptrace-event third; ptrace-event fourth; ptrace-event fifth'
is "$(ctl filter sub 'file:*')$(cat out err)" 0 "a family that was not chosen"
order ': >a.file'
ctl flush >out
is "$(in_log third fourth fifth)" "third fourth fifth " "both are filtered"
like "$(dump -n file:open 2>err.dump)" 'path="a.file"' "the family is recorded from then on"
is "$(ctl filter set mark)$(cat out err)" 0 "filter set"
order 'ptrace-event third'
is "$(ctl mark filtered)" 0 "a mark that is filtered"
is "$(ctl filter add 'no*such')" 1 "a pattern without a type: status 1"
is "$(cat err)" "ptrace-ctl: filter: trace $(column controller): a pattern \
matches no event type" "it is said"
ctl flush >out
is "$(in_log third mark)" "mark third third " "all but what was set"

is "$(ctl clear)$(cat out err)" 0 "clear"
is "$(column state)" running "it runs"
is "$(ctl mark filtered)" 0 "the filter stays"
order 'ptrace-event after'
is "$(ctl flush)" 0 "flush"
is "$(in_log first second third mark after posix_trace_start)" \
	"posix_trace_start after " "what came before is forgotten"
is "$(ctl stop)" 0 "stop"
is "$(ctl clear)" 0 "clear what is suspended"
is "$(column state)" suspended "it stays so"
order 'ptrace-event last'

end
is $? 7 "the program's status"
is "$(cat err.run)" "" "it says nothing"
is "$(in_log after last)" "" "the log is empty"
like "$(dump --info)" '^log-state: *complete' "and complete"
is "$(ctl start log)" 3 "then it is gone: status 3"
is "$(cat err)" "ptrace-ctl: log: no trace is written to it" "it is said"
is "$(ls /dev/shm/ptrace-*/ctl.* 2>/dev/null)" "" "nothing is left"
