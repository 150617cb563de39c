#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the output goes.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/run/lib.sh"
plan 8

run "$VICTIMS/victim-ticks" 5000
dump >all
is "$(status dump -o file)" 0 "-o"
is "$(cat out)" "" "nothing on standard output"
cmp -s all file
ok $? "all of it in the file"
is "$(status dump -o no/such/dir)" 1 "a file that cannot be written"
is "$( (dump; echo $? >&2) 2>err | head -n 1 >/dev/null; cat err)" 0 \
	"a reader that goes away: no complaint"
is "$(status dump -f no-such-format)" 2 "unknown format"
is "$(status "$PTRACE_DUMP")" 2 "no log: usage"
like "$(cat err)" '^usage: ptrace-dump' "usage on standard error"
