#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --html of odd logs: one event, at time 0; times beyond what a
# double can count; many threads, many processes, long names; letters that end
# lines elsewhere, and no UTF-8.  There is a page, and all can be done with it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/html.sh"
plan 75

echo '0 1 1 0 18 0 s:/x' >one.txt
printf '%s 1 1 0 18 0 s:/x\n' 0 9007199254740993 9223372036854775000 >far.txt
awk 'BEGIN {
	for (i = 1; i <= 5000; i++)
		print i * 1000, 1, 1 + i % 500, "0 25 0"
}' >threads.txt
awk 'BEGIN {
	for (i = 1; i <= 3000; i++)
		print i * 1000, i + 1, i + 1, "0 18 0 s:/bin/x" i
	for (i = 1; i <= 3000; i++)
		print 4000000 + i * 1000, i + 1, i + 1, "0 25 0"
}' >processes.txt
awk 'BEGIN {
	name = sprintf("%3900s", "")
	gsub(/ /, "n", name)
	for (i = 1; i <= 100; i++)
		print i * 1000, "1 1 0 18 0 s:/" i name
}' >names.txt
printf '%s\n' "1 1 1 0 18 0 s:a$(printf '\342\200\250')b<!--<script>" \
	"2 1 1 0 18 0 s:$(printf '\377\376\355\240\200')x" \
	"3 1 1 0 29 0 s:$(printf 'a\342\200\256gnp.\033[7m')" >letters.txt
for odd in one far threads processes names letters; do
	"$VICTIMS/victim-mklog" $odd <$odd.txt
	page $odd
	checks "$odd" page.html events.json
	is "$(cat code) $(node "$abs_top_srcdir/t/lib/page.js" --try \
		page.html) $(markup page.html)" "0  " "$odd: all can be done"
done

# More threads than bars can be shared among: the page is larger than it should
# be, but it is made.
awk 'BEGIN {
	srand(1)
	for (i = 1; i <= 20000; i++) {
		for (d = 1; d <= 12; d++)
			print t += 100 + int(900 * rand()), 1, i, "0 241 0 x:" d
		for (d = 12; d > 0; d--)
			printf "%d 1 %d 0 242 0 x:%d x:0x7f%04x%05x0\n",
				t += 100 + int(900 * rand()), i, d,
				65536 * rand(), 1048576 * rand()
	}
}' | "$VICTIMS/victim-mklog" wide
"$PTRACE_REPORT" --html page.html wide
is "$? $(notes)" "0 lost 7 events: counts and sums are at least what is shown" \
	"many deep threads"

# No half of a page stays.
(ulimit -f 2 && "$PTRACE_REPORT" --html half.html wide) 2>err
is "$? $(cat err)" "1 ptrace-report: cannot write half.html: File too large" \
	"one that cannot be written to its end"
[ ! -e half.html ]
ok $? "is removed"
