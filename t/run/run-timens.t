#!/bin/sh
# SPDX-License-Identifier: MIT
# In a time namespace processes are as they are elsewhere: traced, and nobody
# else is, whichever way the clock differs.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
unshare -T --boottime 5 true 2>/dev/null || skip_all "no time namespaces"
plan 4

for offset in 500000 -20; do
	run unshare -T --boottime $offset sh -c 'ls / >/dev/null; exit 3'
	is "$(dump --no-symbols -f json -n 'process:*' |
		sed -n 's/.*"program":"\([^"]*\)".*"name":"process:\(start\|exit\)".*/\1 \2/p' |
		tr '\n' ';')" \
		"unshare start;sh start;ls start;ls exit;sh exit;" \
		"boottime $offset: each process"
	is "$("$PTRACE_DUMP" --info log | grep '^not-traced:' | tr -d ' ')" \
		"not-traced:0" "boottime $offset: none untraced"
done
