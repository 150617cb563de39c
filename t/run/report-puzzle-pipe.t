#!/bin/sh
# SPDX-License-Identifier: MIT
# On the page of ptrace-report --html one click answers what was waited for:
# a pipe chain.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
mkfifo ready
# The others are there before it sleeps.
run -e process,thread,sync,io,file,time sh -c '{ read -r line <ready; sleep 1; echo a; } |
	tr a-z A-Z | { echo >ready; exec sort; }' >/dev/null
"$PTRACE_REPORT" --html page.html log
drive puzzles.js 7 page.html pipe
