#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl when, triggers and forget: triggers of a trace that runs; what was
# recorded before fires nothing, and what comes later does, until it is forgotten.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/ctl.sh"
plan 42

# fired: of each trigger its number and how often it has fired.
fired() {
	ptrace-ctl triggers --json |
		sed 's/.*"number":\([0-9]*\),"fired":\([0-9]*\).*/\1:\2/' |
		tr '\n' ' '
}

begin "$PTRACE_RUN" -o log sh -c "$obey; exit 7" 2>err.run
is "$(ctl triggers)$(cat out)" "0NUMBER       FIRED  WHEN  ->  DO" \
	"at first there are none"
order 'ptrace-event slow; ptrace-event slow'
is "$(ctl when 'name == slow' 'mark was slow')$(cat out err)" 0 "when"
is "$(fired)" "1:0 " "it has not fired, for what was before"
order 'ptrace-event slow; ptrace-event slow; ptrace-event other'
is "$(ctl when 'name == other' 'exec : >execed')$(cat out err)" 0 "another one"
is "$(fired)" "1:2 2:0 " "what was recorded until then is looked at"
is "$(ctl triggers)" 0 "triggers"
like "$(cat out)" "     1           2  name == slow  ->  mark was slow" "as text"
is "$(ptrace-ctl triggers --json | tail -n 1)" \
	'{"number":2,"fired":0,"when":"name == other","do":"exec : >execed"}' \
	"as JSON"
order 'ptrace-event other'
is "$(ctl forget 1)$(cat out err)" 0 "forget"
is "$(fired)" "2:1 " "the other one keeps its number"
order 'ptrace-event slow'
is "$(ctl when 'name == third' 'mark third')" 0 "one more"
is "$(fired)" "1:0 2:1 " "it has the number that is free"
order 'ptrace-event third; ptrace-event slow'
is "$(ctl forget 2) $(ctl forget 1)" "0 0" "all are forgotten"
is "$(fired)" "" "then there are none"
order 'ptrace-event third; ptrace-event other'

# What is wrong.
is "$(ctl forget 1) $(cat err)" "1 ptrace-ctl: forget: trace $(column controller): \
there is no trigger of that number" "none of that number"
is "$(ctl when 'name ==' 'mark x')" 1 "a wrong expression"
like "$(cat err)" "at column [0-9]* of 'name ==': expected" "is said"
is "$(ctl when 'name == x' 'dance')" 1 "a wrong action"
like "$(cat err)" "'dance' is not start, stop, mark TEXT" "is said"
is "$(ctl when 'name == x' start)" 1 "start"
like "$(cat err)" "this trace has started" "is too late"
is "$(ctl when 'name == x' snapshot)" 1 "snapshot"
like "$(cat err)" "needs a trace with --snapshot" "is not for this one"
is "$(ctl when 'name == x')" 2 "no action: wrong usage"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	ptrace-ctl when "name == x$i" 'mark x'
done
is "$(ctl when 'name == x' 'mark x')" 1 "more than there can be"
is "$(fired | wc -w)" 16 "there are sixteen"
order 'ptrace-event x16'
end
is $? 7 "the program's status"
like "$(cat err.run)" '5 firings' "the summary counts them all" ||
	diag "$(cat err.run)"
is "$("$PTRACE_DUMP" -n mark log | sed -E 's/.*mark +//; s/ +at .*//' | sort | uniq -c |
	sed 's/^ *//')" '1 "third"
2 "was slow"
1 "x"' "what was done"
is "$(dump -n trace:trigger | wc -l)" 5 "each is an event"

# A flight recorder that was started without triggers.
begin "$PTRACE_RUN" -q --snapshot -o log sh -c "$obey" 2>err.run
is "$(ctl when 'name == slow' "snapshot=$PWD/taken.%n")" 0 "snapshot"
order 'ptrace-event slow; ptrace-event behind'
is "$(ctl triggers)" 0 "asked"
ctl forget 1 >out
is "$("$PTRACE_DUMP" -n slow taken.1 | wc -l)" 1 "it is written"
end

# Beside those of ptrace-run.
begin "$PTRACE_RUN" -q -o log --when 'name == a' --do 'mark a' sh -c "$obey" \
	2>err.run
is "$(ctl when 'name == b' 'mark b')" 0 "beside a trigger of ptrace-run"
order 'ptrace-event b; ptrace-event a'
end
is "$("$PTRACE_DUMP" -n mark log | sed -E 's/.*mark +//; s/ +at .*//' | sort | tr '\n' ' ')" \
	'"a" "b" ' "both fire"

# The controller is killed: the next one has those that it had.
# is_other PID: is there a controller, and is it another?
is_other() {
	next=$(column controller 2>err.column)
	[ -n "$next" ] && [ "$next" != "$1" ]
}
# have_fired COUNTS: as fired says them?
have_fired() {
	[ "$(fired)" = "$1" ]
}
begin "$PTRACE_RUN" -o log --when 'name == a' --do 'mark a' \
	--when 'name == gone' --do 'mark gone' sh -c "$obey" 2>err.run
is "$(ctl when 'name == b' 'mark b 1') $(ctl when \
	'name == x' 'mark x') $(ctl forget 2) $(ctl forget 4)" "0 0 0 0" "some change"
order 'ptrace-event b; ptrace-event gone'
wait_for have_fired "1:0 3:1 "
ok $? "one has fired"
first=$(column controller)
kill -9 "$first"
wait_for is_other "$first"
is "$(fired)" "1:0 3:1 " "the next controller knows them"
order 'ptrace-event b; ptrace-event a; ptrace-event gone; ptrace-event x'
is "$(ctl when 'name == c' 'mark c')" 0 "more can be added"
is "$(fired)" "1:1 2:0 3:2 " "... in the place of what was forgotten"
end
is "$("$PTRACE_DUMP" -n mark log | sed -E 's/.*mark +//; s/ +at .*//' | sort | tr '\n' ' ')" \
	'"a" "b 1" "b 1" ' "those that are there fire, each once"

begin "$PTRACE_RUN" -q -o '|cat >piped' sh -c "$obey" 2>err.run
ctl when 'name == b' 'mark b' >out
like "$(cat err)" 'it has to be a file' "a pipe has none"
end
