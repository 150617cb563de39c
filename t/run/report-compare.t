#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --html --diff: a page with what another log has more, and what less.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -e process,file,time sh -c 'sleep 0.2; :' && mv log '<img src=x>'
run -e process,file,time sh -c 'cat /none; sleep 0.01; :' 2>/dev/null
"$PTRACE_REPORT" --html page.html --diff '<img src=x>' log
drive compare.js 23
