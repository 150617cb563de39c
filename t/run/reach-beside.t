#!/bin/sh
# SPDX-License-Identifier: MIT
# System calls of a child that goes on beside its parent in the same memory have
# their own results, and are recorded as the child's.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" grep readelf
source=$abs_top_srcdir/t/run/reach-beside.c
$CC -O2 -D_GNU_SOURCE -I"$abs_top_srcdir" -o raw "$source" || exit 1
plan 52

# of PATH: how many processes looked for it.
of() {
	grep -F "\"path\":\"$1\"" all | sed 's/.*"pid":\([0-9]*\).*/\1/' |
		sort -u | wc -l
}

for reach in raw static; do
	if [ $reach = static ] && ! { may_seize && build_static static "$source"; }
	then
		skip "static" "no static C library, or no ptrace(2)" 26
		break
	fi
	same "$reach: one after the other" ./$reach one
	has 30000 '"path":"/parent"'
	has 30000 '"path":"/child"'
	is "$(of /parent) $(of /child)" "1 100" "... by each"
	same "$reach: two at once" ./$reach two
	has 300 '"path":"/parent"'
	has 600 '"path":"/child"'
	is "$(of /parent) $(of /child)" "1 2" "... by each"
	same "$reach: many at once" ./$reach many
	has 3900 '"path":"/child"'
	has 13 '"name":"process:fork"'
	same "$reach: many that execute at once" ./$reach execs \
		/bin/sh -c 'exit 3'
	has 13 '"name":"process:fork"'
	has 13 '"argv":["/bin/sh","-c","exit 3"]'
	is "$(info not-traced)" 0 "... all of them"
	same "$reach: more than are recorded" ./$reach too-many
	has 64 '"path":"/one-of-many"'
	has 1 '"name":"process:untraced"' 'more than 64 children'
	same "$reach: a handler that leaves a call" ./$reach leaves
	has 60 '"path":"/after"'
	same "$reach: one that executes" ./$reach exec /bin/sh -c 'exit 3'
	has 300 '"path":"/parent"'
	has 300 '"path":"/child"'
	has 1 '"argv":["/bin/sh","-c","exit 3"]'
	has 1 '"name":"process:exit"' '"status":3'
	same "$reach: a filter while there is one" ./$reach filter
done
