#!/bin/sh
# SPDX-License-Identifier: MIT
# call:enter and call:exit are shown with function and library, whoever told
# them, and an exit with the time since its own enter.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
need python3
plan 20

# calls OPTION...: what follows the names of the call events, from lines of
# events: TIME TID KIND FIELD...
calls() {
	awk '{
		id["symbol"] = 240; id["enter"] = 241; id["exit"] = 242
		id["start"] = 16; id["fork"] = 17; id["end"] = 25
		pid = $2; image = 0
		if (split($2, part, ".") > 1) {
			pid = part[1]; image = part[2]
		}
		tid = pid
		if (split(pid, part, "/") > 1) {
			pid = part[1]; tid = part[2]
		}
		line = $1 " " pid " " tid " " image " "
		line = line ($3 in id ? id[$3] : $3) " 0"
		for (i = 4; i <= NF; i++)
			line = line " " $i
		print line
	}' | "$VICTIMS/victim-mklog" log
	dump -n 'call:e*' "$@" | cut -d ' ' -f 3-
}
malloc='call:enter function=malloc library=libc.so.6 callee=0x1000'
malloced='call:exit function=malloc library=libc.so.6 callee=0x1000'

is "$(calls <<-END
	1 10 symbol x:0x1000 s:malloc s:libc.so.6
	2 10 enter x:0x1000
	5 10 exit x:0x1000 x:0x77
END
)" "$malloc
$malloced ret=0x77 duration=3" "a call, as call:symbol tells"
dump -f json -n 'call:e*' >events
cat >check.py <<'END'
import json
for line in open("events"):
    e = json.loads(line)
    print(e["name"], json.dumps(e["args"], sort_keys=True))
END
is "$(python3 check.py)" 'call:enter {"callee": "0x1000", "function": "malloc", "library": "libc.so.6"}
call:exit {"callee": "0x1000", "duration": 3, "function": "malloc", "library": "libc.so.6", "ret": "0x77"}' \
	"JSON"
is "$(calls <<-END
	2 10 enter x:0x1000
	5 10 exit x:0x1000
END
)" "call:enter callee=0x1000
call:exit callee=0x1000 duration=3" "nobody knows the function; no return value"
is "$(calls <<-END
	2 10 enter
	5 10 exit
	6 10 symbol x:0x1000
	7 10 symbol x:0x1000 s:malloc
	8 10 enter x:0x1000
END
)" "call:enter
call:exit
call:enter callee=0x1000" "damaged"

# Processes
is "$(calls <<-END
	1 10 symbol x:0x1000 s:malloc s:libc.so.6
	2 10 fork i:11
	3 11 enter x:0x1000
	4 11 symbol x:0x1000 s:other s:x
	5 11 enter x:0x1000
	6 10 enter x:0x1000
END
)" "$malloc
call:enter function=other library=x callee=0x1000
$malloc" "a child has its parent's, and its own alone"
is "$(calls <<-END
	1 10 symbol x:0x1000 s:malloc s:libc.so.6
	2 10.1 start i:1 s:x
	3 10.1 enter x:0x1000
	4 12 enter x:0x1000
END
)" "call:enter callee=0x1000
call:enter callee=0x1000" "another program, another process: not known"
is "$(calls <<-END
	1 10 symbol x:0x7f0000001000 s:malloc s:libc.so.6
	2 10 32 x:0x7f0000000000 x:0x2000 s:x b:
	3 10 enter x:0x7f0000001000
	4 10 33 x:0x7f0000000000 x:0x2000 s:x
	5 10 enter x:0x7f0000001000
END
)" "call:enter function=malloc library=libc.so.6 callee=0x7f0000001000
call:enter callee=0x7f0000001000" "forgotten when the library goes"
awk 'BEGIN {
	for (i = 1; i < 3000; i++)
		printf "%d 10 symbol x:0x%x s:f%d s:x\n", i, i * 16, i
	for (i = 1; i < 3000; i++)
		printf "%d 10 enter x:0x%x\n", 3000 + i, i * 16
}' | calls | awk '$2 == "function=f" NR { print }' >right
is "$(wc -l <right)" 2999 "thousands of functions"

# By symbols: -finstrument-functions has no call:symbol.
printf '.text\n.space 64\n.globl _ZN2ns1fEPKc\n.type _ZN2ns1fEPKc,%%function
_ZN2ns1fEPKc:.space 16\n.size _ZN2ns1fEPKc,16\n.globl plain
.type plain,%%function\nplain:.space 16\n.size plain,16
.section .note.GNU-stack,"",%%progbits\n' >lib.s
build lib.so lib.s -shared -nostdlib
plain=$(printf '0x%x' $((BASE + $(address_of lib.so plain))))
plus=$(printf '0x%x' $((BASE + $(address_of lib.so _ZN2ns1fEPKc))))
by_module() {
	calls "$@" <<-END
	1 10 32 x:$BASE x:0x100000 s:$T/lib.so b:$(id_of lib.so)
	2 10 enter x:$plain
	3 10 enter x:$plus
	4 10 exit x:$plus x:1
	END
}
is "$(by_module --no-demangle)" \
	"call:enter function=plain library=lib.so callee=$plain
call:enter function=_ZN2ns1fEPKc library=lib.so callee=$plus
call:exit function=_ZN2ns1fEPKc library=lib.so callee=$plus ret=0x1 duration=1" \
	"by the symbols of the module"
if [ "$(by_module)" != "$(by_module --no-demangle)" ]; then
	is "$(by_module | sed -n 2p)" \
		"call:enter function=\"ns::f(char const*)\" library=lib.so callee=$plus" \
		"C++: quoted"
else
	skip "C++: quoted" "no demangler"
fi

# Durations: d NAME LINES WANT
durations() {
	calls | sed -n 's/call:exit callee=0x//p' |
		sed 's/ duration=/:/; s/^[^:]*$/&:-/' | tr '\n' ' '
}
is "$(durations <<-END
	10 10 enter x:1
	20 10 enter x:2
	21 10 enter x:2
	23 10 exit x:2
	30 10 exit x:2
	40 10 exit x:1
END
)" "2:2 2:10 1:30 " "nested, recursive"
is "$(durations <<-END
	10 10/10 enter x:1
	11 10/11 enter x:1
	12 10/12 exit x:1
	20 10/10 exit x:1
	31 10/11 exit x:1
END
)" "1:- 1:10 1:20 " "each thread for itself; an exit without enter has none"
is "$(durations <<-END
	10 10 enter x:1
	11 10 enter x:2
	12 10 enter x:3
	20 10 exit x:1
	40 10 enter x:2
	41 10 exit x:2
END
)" "1:10 2:1 " "what a jump left is over"
is "$(durations <<-END
	10 10 enter x:1
	11 10 enter x:2
	12 10 enter x:3
	20 10 exit x:1
	30 10 exit x:2
	31 10 exit x:3
	40 10 enter x:2
	41 10 exit x:2
END
)" "1:10 2:19 3:19 2:1 " "or it was on another stack, and its end comes"
is "$(durations <<-END
	10 10 enter x:1
	11 10 end
	12 10 exit x:1
END
)" "1:- " "a thread that ended, and another one of that number"
is "$(durations <<-END
	10 10 enter x:1
	11 10.1 start i:1 s:x
	12 10.1 exit x:1
END
)" "1:- " "another program"
is "$(durations <<-END
	10 10 enter x:1
	11 10 fork i:11
	13 11 exit x:1
	14 10 exit x:1
END
)" "1:- 1:4 " "a child did not enter"
awk 'BEGIN {
	print "1 10 enter x:1"
	for (i = 2; i < 100000; i++)
		printf "%d 10 enter x:0x%x\n", i, 16 + i % 100
	print "100000 10 exit x:1"
}' >lines
is "$(durations <lines)" "1:99999 " "around many that have no exits"
awk 'BEGIN {
	for (i = 1; i <= 50000; i++)
		print i, "10 enter x:1"
	for (i = 50000; i >= 1; i--)
		print 100001 - i, "10 exit x:1"
}' >lines
durations <lines | tr ' ' '\n' | head -n 50000 |
	awk -F : '$2 == 2 * NR - 1 { print }' >right
is "$(wc -l <right)" 50000 "a deep recursion"
# Also of those that are not shown.
calls >out <<-END
	10 10 enter x:1
	20 10 exit x:1
END
is "$(dump -n call:exit --since @1 | wc -l) $(dump -n call:exit |
	grep -c 'duration=10$')" "0 1" "the enter need not be shown"
