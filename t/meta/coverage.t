#!/bin/sh
# SPDX-License-Identifier: MIT
# Each clause of t/api/clauses is shown by a test or said to be untestable, and
# no test names one that is not there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
plan 7

coverage=$abs_top_srcdir/t/meta/coverage
"$coverage" "$abs_top_srcdir" >"$T/table"
[ "$(wc -l <"$T/table")" -gt 100 ]
ok $? "there is a table"
is "$(grep ' UNCOVERED' "$T/table")" "" "no clause is uncovered"
is "$(grep ' UNKNOWN' "$T/table")" "" "no test names an unknown clause"
is "$(grep ' TWICE' "$T/table")" "" "no id is given twice"
is "$(grep -hvE -e '^#' -e '^[a-z][a-z0-9_]*[.][0-9]+  [^ ].*[^ ]$' \
	"$abs_top_srcdir"/t/api/clauses/*)" "" "all lines are clauses"

mkdir -p "$T/tree/t/api/clauses"
printf '%s\n' 'page.1  a' 'page.2  b' 'page.3  c -- untestable: d' \
	'page.4  e' >"$T/tree/t/api/clauses/some"
echo 'ok(x, "[page.1 page.5] text"); ok(array[page], "[page.4] [page.1]");' \
	>"$T/tree/t/api/x.c"
"$coverage" "$T/tree" >"$T/got"
is "$?" 1 "a bad table is told by the status"
is "$(cat "$T/got")" 'page.1 tested t/api/x.c
page.2 UNCOVERED
page.3 untestable
page.4 tested t/api/x.c
page.5 UNKNOWN t/api/x.c' "and in it"
