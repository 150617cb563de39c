#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-event records a user event, and is silent when nobody traces.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 14

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
