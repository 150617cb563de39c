#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of ptrace-report --html says who ended a wait, leads there, and shows the
# critical path.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -e process,thread,sync,time "$VICTIMS/victim-waits" lock
"$PTRACE_REPORT" --html page.html log
mv page.html lock.html
run -e process,thread,sync,time "$VICTIMS/victim-waits" creator
"$PTRACE_REPORT" --html page.html log
drive causes.js 26 lock.html "$T/page.html"
