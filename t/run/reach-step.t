#!/bin/sh
# SPDX-License-Identifier: MIT
# A signal may come at any instruction of a system call that is recorded, and its
# handler make calls of its own, on any stack.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" grep readelf
source=$abs_top_srcdir/t/run/reach-step.c
plan 6

reach=static
for libc in "${CC%% *}" musl-gcc; do
	if ! command -v "$libc" >/dev/null || ! may_seize ||
		! CC=$libc build_static program "$source"; then
		skip "$libc" "no static C library, or no ptrace(2)" 3
		continue
	fi
	same "$libc" ./program
	has 4 '"path":"/stepped"' '"name":"file:access"'
	has 4 '"path":"/stepped"' '"name":"process:exec_failed"'
done
