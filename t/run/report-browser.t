#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of ptrace-report --html in a browser, where there is one: it zooms,
# finds, sorts, and fits on a phone.  With PTL_PICTURES=FOLDER pictures of it
# stay there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -e 'all,!call' sh -c 'ls / | sort; cat /none; (sleep 0.01; true)' \
	>/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
drive chromium.js 28
