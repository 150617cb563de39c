#!/bin/sh
# SPDX-License-Identifier: MIT
# A person works in the page of ptrace-report --html: what failed is red, and
# nothing else; a range of time has its sums and its flame graph; an event stays
# until Esc; expressions find.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
run -k -e 'all,!call,!dl' sh -c 'ls / | sort; cat /none; sh -c "kill -9 \$\$"; true' \
	>/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
drive work.js 43
