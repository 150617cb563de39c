#!/bin/sh
# SPDX-License-Identifier: MIT
# Every process of a log has its program's name.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 3
may=
[ "$(id -u)" = 0 ] || may="unshare -Uc --keep-caps"

# programs EVENT: those that have recorded it, or that it was recorded for.
programs() {
	"$PTRACE_DUMP" -f json -n "$1" log | sed 's/.*"program":"\([^"]*\)".*/\1/
t
s/.*/?/' | sort | uniq -c | tr -s ' \n' ' '
}

# A child of a fork that no wrapper has seen.
run -e all "$VICTIMS/victim-raw"
is "$(programs file:open)" " 1 victim-raw " "a fork by number"
"$PTRACE_DUMP" -n file:open log >opens
like "$(cat opens)" ' at main' "... and its addresses have names"
if $may true 2>/dev/null; then
	# shellcheck disable=SC2086
	run -e all $may "$VICTIMS/victim-raw" elsewhere
	is "$(programs process:exit | sed 's/ 1 unshare//')" " 2 victim-raw " \
		"in a pid namespace of its own"
else
	skip 1 "no namespaces here"
fi
