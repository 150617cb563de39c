#!/bin/sh
# SPDX-License-Identifier: MIT
# On the page of ptrace-report --html one click answers what was waited for:
# a convoy at a condition variable.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -e process,thread,sync,time "$VICTIMS/victim-waits" convoy
"$PTRACE_REPORT" --html page.html log
drive puzzles.js 7 page.html convoy
