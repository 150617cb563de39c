#!/bin/sh
# SPDX-License-Identifier: MIT
# The flame graph of ptrace-report --flame in a browser, where there is one: a
# click zooms, / finds.  With PTL_PICTURES=FOLDER pictures of it stay there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -e file,io,process sh -c 'ls / | sort; cat /none; (sleep 0.01; true)' \
	>/dev/null 2>&1
"$PTRACE_REPORT" --flame picture.svg log
drive picture.js 16 picture.svg
