#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of ptrace-report --html can be used with 10 000 processes.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
awk 'BEGIN {
	print t = 1000, 1, 1, "0 27 0 i:0 i:0 s:/bin/make s:/ s:make"
	for (i = 2; i <= 10000; i++) {
		parent = i < 4 ? 1 : i % 3 == 2 ? 2 + i % 40 : 2 + i % 3
		if (parent >= i)
			parent = 1
		name = i % 5 == 0 ? "cc" : i % 5 < 3 ? "as" : "sh"
		print t += 1000 * (1 + i % 7), parent, parent, "0 17 0 i:" i
		print t += 500, i, i, "0 27 0 i:" parent " i:0 s:/bin/" name \
			" s:/ s:" name
		if (i > 404)
			print t += 100, i - 400, i - 400, "0 20 0 i:" \
				(i % 100 == 0) " i:" 1000 + i % 77 " i:5 i:1000"
	}
}' | "$VICTIMS/victim-mklog" log
"$PTRACE_REPORT" --html page.html log
drive lanes.js 9 page.html many
