#!/bin/sh
# SPDX-License-Identifier: MIT
# What speedscope shows of ptrace-dump -f folded has right sums.  With
# PTL_SPEEDSCOPE=.../speedscope/dist/release of npm's speedscope, that opens it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ -n "${PTL_SPEEDSCOPE-}" ] || skip_all "no PTL_SPEEDSCOPE"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -k -e process,file,io,sync,time sh -c 'ls / | sort; sleep 0.1; cat /none' >/dev/null 2>&1
"$PTRACE_DUMP" -f folded log >log.folded
drive speedscope.js 5 log.folded "$PTL_SPEEDSCOPE"
