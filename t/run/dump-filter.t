#!/bin/sh
# SPDX-License-Identifier: MIT
# Filters by name, process, thread and time.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 22

PATH=${PTRACE_EVENT%/*}:$PATH
run sh -c 'ptrace-event a1; sleep 0.3; ptrace-event a2; ptrace-event b1'
is "$(names -n 'a*')" "a1
a2" "-n"
is "$(names -n a1 -n b1)" "a1
b1" "-n twice"
is "$(names -n none)" "" "-n of nothing"
pid=$(dump -n a2 | sed 's/^[^ ]* //; s|/.*||')
is "$(names -p "$pid" -n '??')" a2 "-p"
is "$(names -t "$pid" -n '??')" a2 "-t"
is "$(names -p 1)" "" "-p of another"
time=$(dump -n a2 | cut -d ' ' -f 1)
is "$(names -n '??' --since "$time")" "a2
b1" "--since SEC.NS"
is "$(names -n '??' --until "$time")" "a1
a2" "--until SEC.NS"
is "$(names -n '??' --since "$time" --until "$time")" a2 "both"
is "$(names --since +0 | head -n 1)" posix_trace_start "--since +0: all"
[ "$(names -n a1 --until +0.3)" = a1 ] && [ -z "$(names -n b1 --until +0.3)" ]
ok $? "--until +SEC"
is "$(names -n '??' --since "@$time")" "a2
b1" "--since @SEC.NS"
# The column of text.
t=$("$PTRACE_DUMP" -n a2 log | sed 's/^ *\([0-9.]*\) .*/\1/')
is "$(names -n 'a?' --until "$t")" "a1
a2" "--until, as text shows it"
is "$(names -n '??' --since "$t")" "a2
b1" "--since, as text shows it"
is "$(names -n 'a?' --until 0.000000001)" "" "--until SEC.NS from the first event on"
is "$(names -n '??' --since "$(awk -v t="$t" 'BEGIN { print t * 1e6 }')us")" \
	"$(names -n '??' --since "$(printf %.6f "$t")")" "--since with a unit"
is "$(names --until 0ms) $(names --until 1h | wc -l)" \
	"$(names --until 0) $(names | wc -l)" "--until with one"
is "$(status dump --since 10MB) $(status dump --since @10ms)" "2 2" "none of time"
is "$(status dump --since @)" 2 "a clock without its time: status 2"
like "$(cat err)" "'@' is not a time: SEC or SEC.NS .* @SEC" "... what it could be"
is "$(status dump --since x)" 2 "a time that is none: status 2"
is "$(status dump -p x)" 2 "a pid that is none: status 2"
