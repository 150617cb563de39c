#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of ptrace-report --html by keys alone, on paper, and for who does not see
# it.  With PTL_AXE=.../axe.js of npm's axe-core that looks for mistakes, too.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -k -e process,file,io sh -c 'for i in 1 2 3 4 5 6 7; do ls / | sort; done; cat /none' \
	>/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
nr=22
[ -z "${PTL_AXE-}" ] || nr=34
drive access.js $nr
