#!/bin/sh
# SPDX-License-Identifier: MIT
# In the page of ptrace-report --html: callers and callees of one function, and how
# long what was found took.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -k -e process,file,io,time,thread sh -c 'for i in 1 2 3; do ls / | sort; done; sleep 0.02
	cat /none' >/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
drive flames.js 14
