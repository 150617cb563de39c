#!/bin/sh
# SPDX-License-Identifier: MIT
# -a: arguments and results are what the program passed and got, of all types
# and from all places that a call has them in; what a pointer leads to is read
# only where that is safe.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
. "$abs_top_srcdir/t/lib/typed.sh"
plan 11

# typed OPTION... -- COMMAND...: leaves NAME [ARGUMENTS] and NAME = RESULT of the
# program's calls in $T/typed.
typed() {
	rm -f "$T/log"
	"$PTRACE_RUN" -q -e process -o "$T/log" "$@" >"$T/traced.out" \
		2>"$T/traced.err" </dev/null
	echo $? >"$T/traced.status"
	"$PTRACE_DUMP" -f json "$T/log" >"$T/json"
	typed_calls <"$T/json" >"$T/typed"
}

for mode in values pointers quiet; do
	run_plain "$VICTIMS/victim-typed" $mode
	typed -a -r "$typed_functions" -- "$VICTIMS/victim-typed" $mode
	is "$(cat "$T/traced.status")" 0 "$mode: it ends as it should"
	cmp -s "$T/traced.out" "$T/typed"
	ok $? "$mode: each call with its arguments, and what it returned" ||
		diag "$(diff "$T/traced.out" "$T/typed" | head -n 20)"
done
"$PTRACE_DUMP" -f raw -n call:exit "$T/log" >"$T/text"
like "$(cat "$T/text")" 'function=strncmp .* ret=0 ' "text has results, too"
is "$(events call:symbol '"function":"strncmp".*"prototype":"issL"')" 1 \
	"the log has the prototype"

typed -r "$typed_functions" -- "$VICTIMS/victim-typed" values
is "$(grep -c '^strlen = "0x10"' "$T/typed")" 1 "without -a: as before"
is "$(events call:enter '"args":\[')" 0 "and no arguments"
typed -a -r 'called_*' -l strlen -- "$VICTIMS/victim-typed" values
is "$(grep -c '^strlen \["sixteen bytes ab"\]' "$T/typed")" 1 "-l has them"
