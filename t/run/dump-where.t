#!/bin/sh
# SPDX-License-Identifier: MIT
# -w EXPR and its shortcuts choose events by what is in them, in every format;
# an expression that makes no sense is told where it does not.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 94

# Times in ns; of calls of libc the last field is when they began.
"$VICTIMS/victim-mklog" log <<-END
	1000 10 10 0 27 0 i:1 i:0 s:/usr/bin/make s:/src s:make s:-j2
	2000 10 10 0 17 0 i:11
	3000 11 11 1 27 0 i:10 i:0 s:/usr/bin/cc s:/src s:cc s:-c
	4000 11 11 1 64 0 i:-100 x:0 i:0 i:-1 i:2 s:/etc/x.cfg x:4000
	5000 11 11 1 64 0 i:-100 x:0x241 i:438 i:3 i:0 s:/tmp/out.o x:5000
	2000000 11 11 1 113 0 i:3 i:100 i:100 i:0 x:6000
	2001000 11 11 1 161 0 x:0x1000 i:16 x:2001000
	2002000 11 12 1 160 0 x:0x1000 i:0 i:1 x:2002000
	2003000 11 11 1 17 0 i:13
	2004000 13 13 1 42 0 i:15 x:0x10
	2005000 13 13 1 21 0 i:11
	2006000 11 11 1 20 0 i:1
	2007000 10 10 0 19 0 i:2 s:/no/such
	2008000 10 10 0 227 0 i:-2 s:nohost s:http x:2008000
	2009000 10 10 0 20 0 i:0
	2010000 99 99 0 25 0
	2011000 99 99 0 1024 0 s:phase
	END

# chosen WANTED OPTION...: the times of the events, in us.
chosen() {
	wanted=$1
	shift
	is "$("$PTRACE_DUMP" -f json "$@" log 2>err | sed \
		's/.*"ts":"[0-9]*\.\([0-9]*\)".*/\1/' | tr '\n' ' ')" \
		"$("$PTRACE_DUMP" -f json log | sed \
		's/.*"ts":"[0-9]*\.\([0-9]*\)".*/\1/' | awk -v wanted="$wanted" '
			BEGIN { n = split(wanted, number)
				for (i = 1; i <= n; i++) is_wanted[number[i]] = 1 }
			NR in is_wanted { printf "%s ", $0 }')" "$*"
}
chosen "1 2" -w 'pid == 10 && t <= 1000'
chosen "1 2" -w 'pid==10&&t<=1us'
chosen "8" -w 'tid == 12'
chosen "17" -w 'text == phase'
chosen "17" -w 'text ~ "ph*" && text < q'
chosen "4 5" -w 'name == file:open'
chosen "4 5" -w 'name == "file:open"'
chosen "4 5" -w 'name ~ "file:*"'
chosen "3 4 5 6 7 8 9 10 11 12" -w 'program == cc'
chosen "1 2 13 14 15" -w "program ~ 'm*'"
chosen "4" -w 'path ~ "*.cfg"'
chosen "5 13" -w 'path !~ "*.cfg"'
chosen "5" -w 'path == /tmp/out.o'
chosen "4" -w 'path < "/f" && errno'
chosen "4 14" -w 'ret < 0'
chosen "4 14" -w 'ret < -0x0'
chosen "6" -w 'ret >= 100'
chosen "6" -w 'ret > 99 && size <= 100'
chosen "6" -w 'dur > 1ms'
chosen "6" -w 'dur > 0.0019s'
chosen "" -w 'dur > 2ms'
chosen "4 13" -w 'errno == ENOENT'
chosen "4 13" -w 'errno == 2'
chosen "7" -w 'ret == EBUSY'
chosen "7" -w 'ret == 16'
chosen "5" -w 'flags ~ "*O_CREAT*"'
chosen "5" -w 'flags == 0x241'
chosen "4" -w 'dir == AT_FDCWD && flags == O_RDONLY'
chosen "8" -w contended
chosen "8" -w 'contended == true'
chosen "10" -w 'signo == SIGTERM'
chosen "11" -w 'signal == SIGSEGV'
chosen "3" -w 'argv == -c'
chosen "1" -w 'argv ~ "-j*"'
chosen "12" -w 'status'
chosen "12 15" -w 'status >= 0'
chosen "12 15" -w '!(!(status >= 0))'
chosen "12" -w 'status && !signal'
chosen "1 12 15" -w 'status >= 0 || argv ~ "-j*"'
chosen "12" -w 'pid == 10 && status == 7 || status == 1'
chosen "" -w 'pid == 10 && (status == 7 || status == 1)'
chosen "7 8" -w 'mutex == 0x1000'
chosen "4" -w errno -w 'path ~ "/etc/*"'

# Shortcuts
chosen "4" --path '*.cfg'
chosen "1" --path /usr/bin/make
chosen "4 7 11 12 13 14" --failed
chosen "6" --slower 1ms
chosen "6" --slower 1994us
chosen "" --slower 1995us
chosen "3 4 5 6 7 8 9 10 11 12" --program cc
chosen "3 4 5 6 7 8 9 10 11 12" --tree 11
chosen "10 11" --tree 13
chosen "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" --tree 10
chosen "10 11 16 17" --tree 13 --tree 99
chosen "4" --failed --program cc --path '/etc/*'

# Other formats
is "$("$PTRACE_DUMP" -w 'errno' log | sed 's/.*cc\[11\] *//;s/.*make\[10\] *//')" \
	'openat(AT_FDCWD, "/etc/x.cfg", O_RDONLY) = -1 ENOENT (No such file or directory)
exec /no/such = -1 ENOENT (No such file or directory)' "text"
is "$("$PTRACE_DUMP" -f raw -w 'errno' log | grep -c ENOENT)" 1 "raw"

# Calls: either half is enough for text.
"$VICTIMS/victim-mklog" calls <<-END
	1000 10 10 0 240 0 x:1 s:f s:lib s:iis
	2000 10 10 0 248 0 x:1 x:42 x:0 x:2 x:0x6968
	3000 10 10 0 249 0 x:1 x:7
	4000 10 10 0 248 0 x:1 x:43 x:0 x:2 x:0x6968
	9000 10 10 0 249 0 x:1 x:8
	END
calls() {
	"$PTRACE_DUMP" "$@" calls | tr -s ' ' | cut -d ' ' -f 3-
}
first='1.00us ?[10] f(42, "hi") = 7'
second='5.00us ?[10] f(43, "hi") = 8'
is "$(calls -w 'ret == 7')" "$first" "by the result"
is "$(calls -w 'args == 43')" "$second" "by an argument"
is "$(calls --slower 2us)" "$second" "by the duration"
is "$(calls -w 'function == f')" "$first
$second" "by what both have"
is "$(calls -w 'function == g')" "" "by what none has"
is "$(calls --indent -w 'function == f')" "$first
$second" "--indent"

# What no event has
is "$("$PTRACE_DUMP" -w 'pth == x' log 2>&1)" \
	"ptrace-dump: --where: no event has a field 'pth'" "a mistyped field"
is "$("$PTRACE_DUMP" -w 'program == none && path' log 2>&1)" "" \
	"one that was never asked for"

# wrong EXPR COLUMN EXPECTED
wrong() {
	is "$(status "$PTRACE_DUMP" -w "$1" log) $(tr -d '\134' <err)" \
		"2 ptrace-dump: --where: at column $2 of '$1': expected $3
try 'ptrace-dump --help'" "-w '$1'"
}
field='a field (pid, program, name, dur, path, ret ...), ! or ('
value='a value: a number (with ns, us, ms, s, K, M, G), a word, or text in quotes'
wrong '' 1 "$field"
wrong 'ret <' 6 "$value"
wrong 'ret < 0 &&' 11 "$field"
wrong 'ret < 0 & x' 9 '&&, || or the end'
wrong '(ret < 0' 9 '), && or ||'
wrong 'ret < 0)' 8 '&&, || or the end'
wrong 'ret = 0' 5 '==, != or another comparison'
wrong 'path ~ "x' 8 'a quote that ends the text that begins here'
wrong '1 == 1' 1 "$field"
is "$(status "$PTRACE_DUMP" -w "$(printf '%9999s' '' | tr ' ' '(')" log)" 2 \
	"too deep"
is "$(status "$PTRACE_DUMP" --slower soon log) $(cat err)" \
	"2 ptrace-dump: --slower: 'soon' is not a time with its unit, as 10us, 1.5ms, 2s: one of ns, us, ms, s, m, h
try 'ptrace-dump --help'" "--slower of no sense"
is "$(status "$PTRACE_DUMP" --slower 10 log) $(cat err)" \
	"2 ptrace-dump: --slower: '10' is not a time with its unit, as 10us, 1.5ms, 2s: one of ns, us, ms, s, m, h
try 'ptrace-dump --help'" "--slower without a unit"
is "$(status "$PTRACE_DUMP" --slower 1K log) $(status "$PTRACE_DUMP" --slower 0 log)" \
	"2 0" "--slower of a size; of no time"
is "$(status "$PTRACE_DUMP" --tree x log) $(cat err)" \
	"2 ptrace-dump: --tree: 'x' is not a process id: PID, or PID@PIDNS
try 'ptrace-dump --help'" "--tree of no sense"

# What failed: also calls whose result is a pointer.
"$VICTIMS/victim-mklog" pointers <<-END
	1000 10 10 0 93 0 x:0 i:2 s:/no/such s:r x:1000
	2000 10 10 0 93 0 x:0x5000 i:0 s:/etc/fstab s:r x:2000
	3000 10 10 0 64 0 i:-100 x:0 i:0 i:-1 i:2 s:/no/such x:3000
	4000 10 10 0 149 0 x:0 i:10 x:0 x:0 i:-1 x:0 x:0xffffffffffffffff i:12 x:4000
	5000 10 10 0 34 0 x:1 x:0 s:libno.so x:5000
	6000 10 10 0 34 0 x:1 x:0x7000 s:libm.so x:6000
	7000 10 10 0 147 0 x:0x5000 i:0 x:0 i:0 x:7000
	8000 10 10 0 17 0 i:11
	9000 11 11 0 20 0 i:0
	10000 12 12 0 20 0 i:3
	11000 13 13 0 21 0 i:11
	END
# lines WANTED OPTION...: which of the events.
lines() {
	wanted=$1
	shift
	is "$("$PTRACE_DUMP" -f json "$@" pointers 2>err | python3 -c '
import json, sys
print(*(json.loads(line)["t"] // 1000 + 1 for line in sys.stdin))')" \
		"$wanted" "pointers: $*"
}
lines "1 3 4 5" -w 'ret < 0'
lines "1 3 4 5" -w 'ret <= -1'
lines "2 6 7" -w 'ret >= 0'
lines "2 6" -w 'ret > 0'
lines "2 6 7" -w '!(ret < 0) && ret >= 0'
lines "1 5 7" -w 'ret == 0'
lines "1 3 4 5 10 11" -w failed
lines "1 3 4 5 10 11" -w 'failed == true'
lines "2 6 7 9" -w 'failed == false'
lines "2 6 7 9" -w '!failed && failed == 0'
lines "1 3 4 5 10 11" --failed
lines "1 3" -w 'failed && path == /no/such'
lines "8" -w 'name == process:fork'
is "$("$PTRACE_DUMP" -f json pointers | python3 -c '
import json, sys
print(*(json.loads(line).get("failed") for line in sys.stdin))')" \
	"True False True True True False False None False True True" \
	"JSON says which failed"
is "$("$PTRACE_DUMP" -f json -w 'failed == 2' pointers 2>&1)" "" \
	"a number that no outcome has"
