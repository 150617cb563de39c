#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --critical-path of logs whose times are known: what it would gain if
# something took no time, and the path of a part of the time.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
plan 19

# path [OPTION...]: WHO WHAT TIME GAIN of each row, the longest first.
path() {
	"$PTRACE_REPORT" --critical-path --json "$@" log | python3 -c '
import json, sys
report = json.load(sys.stdin)
for row in report["rows"]:
    print(row["program"], row["what"], row["time"], row["gain"])
print("length", report["length"])'
}

mklog() {
	"$VICTIMS/victim-mklog" log
}

# Fields of a process:program, a fork, a waitpid(), an exit and a usleep().
fork=17 exit=20 program=29 post=176 wait=173 waitpid=63 sleep=195 event=1024
exited='i:0 i:0 i:0 i:0'

# Boss waits for slow, then asks for fast, which is over already.
mklog <<END
0 10 10 1 $program 0 s:boss
1000 10 10 1 $fork 0 i:20
1000 20 20 2 $program 0 s:slow
3000 10 10 1 $fork 0 i:30
3000 30 30 3 $program 0 s:fast
50000 30 30 3 $sleep 0 i:40 i:0 i:0 @10000
60000 30 30 3 $exit 0 $exited
90000 20 20 2 $sleep 0 i:80 i:0 i:0 @10000
95000 20 20 2 $exit 0 $exited
100000 10 10 1 $waitpid 0 i:20 x:0 i:20 i:0 i:0 @5000
100600 10 10 1 $waitpid 0 i:30 x:0 i:30 i:0 i:0 @100500
110000 10 10 1 $exit 0 $exited
END
is "$(path)" "slow time:usleep 80000 40500
slow running 14000 14000
boss running 11000 11000
boss waking up 5000 5000
length 110000" "another path is the longest then"

# Slow is over before boss asks for it.
mklog <<END
0 10 10 1 $program 0 s:boss
1000 10 10 1 $fork 0 i:20
1000 20 20 2 $program 0 s:slow
40000 20 20 2 $sleep 0 i:40 i:0 i:0 @10000
50000 20 20 2 $exit 0 $exited
70000 10 10 1 $sleep 0 i:60 i:0 i:0 @10000
70600 10 10 1 $waitpid 0 i:20 x:0 i:20 i:0 i:0 @70500
80000 10 10 1 $exit 0 $exited
END
is "$(path)" "boss time:usleep 60000 20500
boss running 20000 20000
length 80000" "who would have to wait then"

# One thread after the other, each ends the waiting of the next.
mklog <<END
0 10 10 1 $program 0 s:chain
20000 10 10 1 $sleep 0 i:15 i:0 i:0 @5000
30000 10 10 1 $post 0 x:0x100 i:0 i:0
31000 10 11 1 $wait 0 x:0x100 i:0 i:0 i:1 @1000
50000 10 11 1 $post 0 x:0x200 i:0 i:0
51000 10 12 1 $wait 0 x:0x200 i:0 i:0 i:1 @1000
60000 10 12 1 $post 0 x:0x300 i:0 i:0
60000 10 10 1 $wait 0 x:0x300 i:0 i:0 i:1 @31000
70000 10 10 1 $exit 0 $exited
END
is "$(path)" "chain running 53000 53000
chain time:usleep 15000 15000
chain waking up 2000 2000
length 70000" "what is on the only path is all gained"

# Of a part of the time: from its last event back, whoever that is.
part() {
	path --since "$1" --until "$2"
}
mklog <<END
0 10 10 1 $program 0 s:server
10000 10 10 1 $event 0 s:request
20000 10 10 1 $post 0 x:0x100 i:0 i:0
20000 10 11 1 $wait 0 x:0x100 i:0 i:0 i:1 @1000
50000 10 11 1 $sleep 0 i:25 i:0 i:0 @25000
60000 10 11 1 $event 0 s:reply
90000 10 10 1 $sleep 0 i:69 i:0 i:0 @21000
95000 10 10 1 $exit 0 $exited
END
is "$(part 0.000010 0.000060)" "server running 25000 25000
server time:usleep 25000 25000
length 50000" "a request: not where the first thread sleeps"
is "$(part 0.000030 0.000060)" "server time:usleep 20000 20000
server running 10000 10000
length 30000" "only what is of that time"
is "$(part 0.000030 0.000045000)" "server time:usleep 15000 15000
length 15000" "no event in it: who waited then"
is "$(path --until 0.000045000)" "server running 25000 25000
server time:usleep 20000 20000
length 45000" "up to the middle of a call"
is "$(path --since 0.000060)" "server time:usleep 30000 30000
server running 5000 5000
length 35000" "from there to the end"
is "$(path --until 1)" "$(path)" "a time behind the end"
is "$("$PTRACE_REPORT" --critical-path --since 0.000010 --until 0.00006 log |
	sed -n 4p)" "50.0us until #1024 of server[11], each moment counted once:" \
	"the text says to what"

# The same by events: their names, and what is in them.
whole=$(part 0.000010 0.000060)
is "$(part 'text == request' 'text == reply')" "$whole" "from one event to the next"
is "$(part 0.000010 '#1024')" "length 0" "a name; the next may be the same"
is "$(part 0.0000101 '#10*')" "$(part 0.0000101 0.00006)" "... and is the next after the time"
is "$(part 'name == "#1024" && tid == 11' 1)" "$(part 0.00006 1)" "an expression"
is "$(part 'text == request' 0.00006)" "$whole" "up to a time"
is "$(status "$PTRACE_REPORT" --since 'text == reply' --until 'text == request' log):$(
	cat err)" "2:ptrace-report: --until: no event of log fits 'text == request' then" \
	"one that does not come any more"
is "$(status "$PTRACE_REPORT" --since 'text ==' log):$(head -n 1 err)" \
	"2:ptrace-report: --since: at column 8 of 'text ==': expected a value: a number (with ns, us, ms, s, K, M, G), a word, or text in quotes" \
	"half an expression"
is "$("$PTRACE_REPORT" --critical-path --json --since 'text == request' \
	--until 'text == reply' - <log | grep -o '"length":[0-9]*')" '"length":50000' \
	"standard input is read twice, too"

# Who ends the last wait is told behind the time, and behind much else.
{
	echo "0 10 10 1 $program 0 s:waits
10000 10 11 1 $sleep 0 i:5 i:0 i:0 @5000
39000 10 10 1 $sleep 0 i:38 i:0 i:0 @500"
	awk 'BEGIN { for (t = 50000; t < 4050000; t += 1000)
		print t, 10, 12 + t / 1000 % 2, 1, 1024, 0, "s:other" }'
	echo "4100000 10 10 1 $post 0 x:0x100 i:0 i:0
4100000 10 11 1 $wait 0 x:0x100 i:0 i:0 i:1 @11000
4200000 10 10 1 $exit 0 $exited"
} >events
mklog <events
is "$(path --until 0.000015000)" "waits time:usleep 14500 14500
waits running 500 500
length 15000" "what ends the wait at the end of the time is later"
