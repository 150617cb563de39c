#!/bin/sh
# SPDX-License-Identifier: MIT
# Text: the begin and the end of a call are one line, which stands where the call
# began; what comes in between waits, but not for ever.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 21

# calls OPTION...: time, duration, who and event, with single blanks, from lines
# TIME PID/TID KIND FIELD...
calls() {
	awk '{
		id["symbol"] = 240; id["enter"] = 241; id["exit"] = 242
		id["start"] = 27; id["end"] = 25; id["died"] = 20; id["fork"] = 17
		id["typed"] = 248; id["typedexit"] = 249; id["took"] = 250
		split($2, part, "/")
		tid = part[2] ? part[2] : part[1]
		line = 1000 + $1 " " part[1] " " tid " 0 " id[$3] " 0"
		for (i = 4; i <= NF; i++)
			line = line " " $i
		print line
	}' | "$VICTIMS/victim-mklog" log
	"$PTRACE_DUMP" "$@" log | tr -s ' ' | sed 's/^ 0\.00000//'
}
symbols='0 10 symbol x:1 s:f s:lib s:iis
0 10 symbol x:2 s:g s:lib s:v
0 10 symbol x:3 s:h s:lib s:v'

is "$(calls <<-END
	$symbols
	1000 10 enter x:1
	3000 10 exit x:1 x:7
	4000 10/11 end
END
)" "1 2.00us ?[10] f() = 7
4 ?[10/11] thread ends" "one line"
is "$(calls <<-END
	$symbols
	1000 10/12 enter x:1
	2000 10/13 end
	3000 10/14 enter x:2
	4000 10/14 exit x:2 x:0x10000
	5000 10/12 exit x:1 x:7
END
)" "1 4.00us ?[10/12] f() = 7
2 ?[10/13] thread ends
3 1.00us ?[10/14] g() = 0x10000" "what others do meanwhile is behind it"
nested="$symbols
1000 10 enter x:1
2000 10 enter x:2
2500 10/12 end
3000 10 enter x:3
4000 10 exit x:3 x:3
5000 10 exit x:2 x:2
6000 10 enter x:3
7000 10 exit x:3 x:4
8000 10 exit x:1 x:1"
is "$(echo "$nested" | calls)" "1 7.00us ?[10] f() = 1
2 3.00us ?[10] g() = 2
2 ?[10/12] thread ends
3 1.00us ?[10] h() = 3
6 1.00us ?[10] h() = 4" "nested"
echo "$nested" | calls --indent >/dev/null
is "$("$PTRACE_DUMP" --indent log | cut -c 14-24,51-)" \
	"   7.00us  f() {
   3.00us    g() {
           thread ends
   1.00us      h() = 3
   3.00us    } = 2
   1.00us    h() = 4
   7.00us  } = 1" "--indent"
is "$(calls <<-END
	0 10 symbol x:1 s:f s:lib s:iis
	1000 10 typed x:1 x:42 x:0 x:2 x:0x6968
	3000 10 typedexit x:1 x:-1
END
)" '1 2.00us ?[10] f(42, "hi") = -1' "arguments and a result of known types"

# No end
is "$(calls <<-END
	$symbols
	1000 10 enter x:1
	2000 10 exit x:1
	3000 10 enter x:1
	4000 10 enter x:2
END
)" "1 1.00us ?[10] f()
3 ?[10] f() ... no end seen
4 ?[10] g()" "at the end: one that returned before, and one that never did"
is "$(calls <<-END
	$symbols
	1000 10 enter x:2
	2000 10 exit x:2
	3000 10 enter x:1
	4000 10 enter x:2
	5000 10 exit x:1 x:5
END
)" "1 1.00us ?[10] g()
3 2.00us ?[10] f() = 5
4 ?[10] g() ... no end seen" "left by a jump"
is "$(calls <<-END
	$symbols
	1000 10/12 enter x:1
	2000 10/12 exit x:1
	3000 10/12 enter x:1
	4000 10 died i:0
	5000 11/11 end
END
)" "1 1.00us ?[10/12] f()
3 ?[10/12] f() ... no end seen
4 ?[10] exit 0
5 ?[11] thread ends" "the process ended"
is "$(calls <<-END
	$symbols
	3000 10 exit x:1 x:5
END
)" "3 ?[10] f() = 5" "no begin"
is "$(calls <<-END
	0 10 symbol x:1 s:f s:lib s:v
	3000 10 took x:1 i:2000 x:5
END
)" "3 2.00us ?[10] f() = 5 began 0.000001" "only one event"

# Some that are not shown
whole=$(echo "$nested" | calls -n 'call:e*')
is "$(echo "$nested" | calls -n call:enter)" "$whole" "-n of the begins: whole"
is "$(echo "$nested" | calls -n call:exit)" "$whole" "-n of the ends: whole"
is "$(echo "$nested" | calls --until +0.000004)" "1 ?[10] f()
2 ?[10] g()
2 ?[10/12] thread ends
3 1.00us ?[10] h() = 3" "some ends are not shown"

# Many: none returns, and none waits.
awk 'BEGIN {
	print "0 10 symbol x:1 s:f s:lib s:v"
	for (i = 1; i < 300000; i++)
		print i, "10 enter x:1"
}' >many
calls <many >out
is "$(wc -l <out) $(sort -u -k 3 out | wc -l)" "299999 1" \
	"without returns"
like "$(tail -n 1 out)" '^ 0\.000299 \?\[10\] f\(\)$|^299 .*f\(\)$' "... the last"

# One waits for more than there is room for.
long() {
	awk 'BEGIN {
		print "0 10 symbol x:1 s:f s:lib s:v"
		print "0 10 symbol x:2 s:g s:lib s:v"
		print "1 10 enter x:1"
		print "2 10 exit x:1 x:0"
		print "3 10 enter x:1"
		for (i = 10; i < 400000; i += 2) {
			print i, "10 enter x:2"
			print i + 1, "10 exit x:2 x:9"
		}
		print "400000 10 exit x:1 x:5"
	}' | calls "$@"
}
long >out
is "$(wc -l <out) $(grep -c 'g() = 9' out)" "199998 199995" "a long call"
is "$(grep 'f()' out | sed 's/^.* ?/?/')" "?[10] f() = 0
?[10] f() ...
?[10] f() = 5 began 0.000000" "... ends in a line of its own"
like "$(tail -n 1 out)" ' 400us \?\[10\] f\(\) = 5 began' "... with its duration"
long --indent >out
is "$(sed -n '2s/.* ?/?/p;$s/.* ?/?/p' out)" "?[10] f() {
?[10] } = 5 began 0.000000" "--indent: with braces"
# shellcheck disable=SC3045 # dash has it
(ulimit -v 100000 && "$PTRACE_DUMP" log >limited)
is "$(wc -l <limited)" 199998 "in so much memory"
is "$("$PTRACE_DUMP" --indent log | sort -c -s -k 1,1n 2>&1)" \
	"$("$PTRACE_DUMP" --indent log | sed '$d' | sort -c -s -k 1,1n 2>&1)" \
	"by time"
