#!/bin/sh
# SPDX-License-Identifier: MIT
# On the page of ptrace-report --html one click answers what was waited for:
# a lock that is held during a disk write.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -e process,thread,sync,io,file "$VICTIMS/victim-waits" disk
"$PTRACE_REPORT" --html page.html log
drive puzzles.js 7 page.html disk
