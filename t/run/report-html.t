#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --html: the page's data are all events of the log; it zooms,
# finds, sorts and tells what an event was; nothing of a log becomes markup; what
# is damaged or lost is said.  The page's script runs in node, with as much of a
# browser as it needs.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/html.sh"
plan 195

run -e all sh -c 'ls / | sort; cat /none; (sleep 0.01; true)' >/dev/null 2>&1
page log
is "$(cat code) $(wc -c <err)" "0 0" "a page, and no words"
is "$(stat -c %a page.html)" 600 "nobody else may read it"
is "$(notes)" "" "nothing is missing"
is "$(markup page.html)" "" "the markup is well, the script uses what a file may"
sed -e "s|'canvas'|'canvass'|" -e 's|{passive: false}|false|' page.html >broken
[ "$(markup broken)" = "no element is called canvass
no element is called canvass
a passive listener of wheel" ]
ok $? "what is not is seen"
checks "everything" page.html events.json calls.json

# Functions that return, in two threads, and call stacks.
run -k -e process,thread,sync,call -r 'victim-*:*' "$VICTIMS/victim-ticks" 50
page log
checks "stacks" page.html events.json

# More events than a page has room for.
"$PTRACE_RUN" -q -b 64M -o many "$VICTIMS/victim-ticks" 1100000
page many
checks "many" page.html events.json
[ "$(wc -c <page.html)" -lt 33554432 ]
ok $? "and is not too large"
awk 'BEGIN {
	srand(1)
	for (t = i = 0; i < 600000; i++)
		printf "%d 1 1 0 242 0 x:0x1000 x:0x7f%04x%05x0\n",
			t += 200 + 400 * rand(), 65536 * rand(), 1048576 * rand()
}' | "$VICTIMS/victim-mklog" many
page many
checks "many that differ" page.html events.json
like "$(notes)" 'neighbours shorter than [0-9.]+(n|µ|m)?s share a bar' "says so"
[ "$(wc -c <page.html)" -lt 2300000 ]
ok $? "share two megabytes"
"$PTRACE_REPORT" --html page.html --page-size 8M many 2>/dev/null
is "$(notes | grep -c 'share a bar')" 0 "in a larger page each has its own bar"
"$PTRACE_REPORT" --html page.html --page-size 1M many 2>/dev/null
[ "$(wc -c <page.html)" -lt 1048576 ]
ok $? "and a smaller page is smaller"
# One thread that does much all the time, one that does little, and for a short
# time: that has a bar for each event, the other one hundreds in none.
awk 'BEGIN {
	srand(2)
	for (t = i = 0; i < 600000; i++) {
		printf "%d 1 1 0 242 0 x:0x1000 x:0x7f%04x%05x0\n",
			t += 200 + 400 * rand(), 65536 * rand(), 1048576 * rand()
		if (i >= 300000 && i < 300100)
			print t, "1 2 0 242 0 x:0x2000 x:0"
	}
}' | "$VICTIMS/victim-mklog" many
"$PTRACE_REPORT" --html page.html --page-size 1M many 2>/dev/null
node "$abs_top_srcdir/t/lib/page.js" --bars page.html >bars
is "$(sed -n 's/^2 //p' bars)" "100 1" "what is rare stays as it is beside what is not"
[ "$(sed -n 's/^1 .* //p' bars)" -lt 100 ]
ok $? "what is frequent shares as few bars as it must"
rm -f many events.json

# Calls: deeper than there are lanes; without an end; over a loss; with an end
# alone.  Addresses that come again and again.
awk 'BEGIN {
	print "1000 1 1 0 240 0 x:0x1000 s:f s:lib s:"
	for (i = 0; i < 700; i++)
		print 2000 + i, "1 1 0 241 0 x:0x1000"
	for (i = 0; i < 600; i++)
		print 3000 + i, "1 1 0 242 0 x:0x1000 x:0x" i % 7 "1000"
}' | "$VICTIMS/victim-mklog" deep
page deep
checks "deep calls" page.html events.json
"$VICTIMS/victim-mklog" lost <<'END'
900 1 1 0 240 0 x:0x1000 s:f s:lib s:
1000 1 1 0 241 0 x:0x1000
1500 9 9 0 5 0
1600 9 9 0 6 0
2000 1 1 0 242 0 x:0x1000 x:0
2100 1 1 0 241 0 x:0x1000
2200 1 1 0 242 0 x:0x1000 x:0x7000
END
page lost
node "$abs_top_srcdir/t/lib/page.js" --find page.html f >out
is "$(grep -c 'for 100ns .*ret=0x7000' out)" 1 \
	"a call has its duration and its result"
is "$(grep -c ' for ' out)" 1 "one that was open at a loss has none"

# A loss is each thread's until its next event, and nobody's who began later.
"$VICTIMS/victim-mklog" lost <<'END'
900 1 1 0 25 0
900 1 2 0 25 0
1500 9 9 0 5 0
1600 9 9 0 6 0
1650 3 3 0 27 0 i:1 i:0 s:/bin/late s:/ s:late
1700 1 2 0 25 0
2000 1 1 0 25 0
END
page lost
is "$(node "$abs_top_srcdir/t/lib/page.js" --losses page.html)" "1 600 1100
2 600 800" "losses are those of threads"

# An address is named by what was mapped there then.
"$VICTIMS/victim-mklog" moved <<'END'
10 10 10 0 32 0 x:0x7f0000000000 x:0x5000 s:/none/a.so b:01
11 10 10 0 25 0x7f0000000100
12 10 10 0 32 0 x:0x7f0000000000 x:0x5000 s:/none/b.so b:02
13 10 10 0 25 0x7f0000000100
END
page moved
node "$abs_top_srcdir/t/lib/page.js" --find page.html thread:exit >out
is "$(grep -o '+0x100 ([ab].so)' out | tr '\n' ' ')" \
	"+0x100 (a.so) +0x100 (b.so) " "places are those of their time"

# Spans are where they began, as long as they were; none is a bar behind its end.
run "$VICTIMS/victim-spans"
page log
node "$abs_top_srcdir/t/lib/page.js" --find page.html outer >out
is "$(grep -c '^phase  at .*  for .*  in victim-spans.*data="outer"' out)" \
	"$(wc -l <out)" "a span is one bar"
is "$(node "$abs_top_srcdir/t/lib/page.js" --late page.html)" "" \
	"nothing goes on when all is over"
run "$VICTIMS/victim-spans" killed
page log
node "$abs_top_srcdir/t/lib/page.js" --find page.html 'name == phase' >out
is "$(grep -c '^phase  at .*  no end seen  in' out)" 2 "and those without an end"

echo 1 1 1 0 1024 0 's:a"phase' | "$VICTIMS/victim-mklog" log
page log
is "$(node "$abs_top_srcdir/t/lib/page.js" --find page.html 'text == "a\"phase"' |
	cut -c -5)" "#1024" "the text of an event without fields"

# Of which host it was.
run -e process true
for host in alpha beta; do
	"$abs_top_srcdir/t/run/patch-log" log $host host=$host
done
"$PTRACE_REPORT" --html page.html alpha beta 2>err
node "$abs_top_srcdir/t/lib/page.js" --find page.html process:exit >out
like "$(cat out)" 'in alpha:true' "the first host"
like "$(cat out)" 'in beta:true' "and the other one"

# Names that would be markup, scripts or nothing at all.
name=$(printf '</script><img src=x onerror=alert(1)>"\047`${x}\377\n&lt;')
cp /bin/true "./evil"
run -e process,file sh -c 'exec -a "$0" ./evil "$0" 2>/dev/null ||
	./evil "$0"; cat "$0"' "$name" 2>/dev/null
page log
is "$(grep -c -i -e '<img' -e 'onerror' page.html)" 0 "no markup of the log's"
is "$(grep -c '</script>' page.html)" 2 "it does not end the data"
checks "hostile" page.html events.json
node "$abs_top_srcdir/t/lib/page.js" --find page.html 'onerror=' >out
like "$(cat out)" '<img src=x onerror=alert\(1\)>' "but text that can be found"

# Logs that are not whole.
run -e all,!call sh -c 'ls / | sort' >/dev/null
size=$(wc -c <log)
head -c $((size / 2)) log >piece
page piece
is "$(cat code) $(wc -l <err)" "1 1" "a cut log: status 1, one line"
like "$(notes)" 'the log is incomplete' "the page says it, too"
checks "a cut log" page.html events.json
cp log holed
head -c 64 /dev/urandom |
	dd of=holed bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
page holed
checks "a damaged log" page.html events.json
"$PTRACE_RUN" -q -o lost -b 8K --stream-policy until-full \
	"$VICTIMS/victim-ticks" 200000
page lost
like "$(notes)" '^lost [0-9 ,.]*.* events?, the first at' "losses: says so"
like "$(notes)" 'recording stopped by itself at [0-9.]+s' "and where it stopped"
like "$("$PTRACE_REPORT" lost | sed -n 2p)" \
	'^[0-9.]+[mµn]?s until recording stopped by itself ' "so does ptrace-report"
checks "lost" page.html events.json
"$PTRACE_RUN" -q --suspended -o none true
page none
checks "no events" page.html events.json

# Usage.
is "$(status "$PTRACE_REPORT" --html x --calls log) $(wc -l <err)" "2 2" \
	"not with a view"
is "$(status "$PTRACE_REPORT" --html x --diff nolog log) $(wc -l <err)" "3 1" \
	"nor with a log that is not there"
cp log copy
is "$(status "$PTRACE_REPORT" --html copy log) $(wc -l <err)" "2 2" \
	"not into a log"
cmp -s log copy
ok $? "which is as before"
"$PTRACE_REPORT" --html - --flame flame.svg log >out.html
is "$(grep -c '<!DOCTYPE html>' out.html) $(grep -c '</svg>' flame.svg)" "1 1" \
	"with a flame graph"
