#!/bin/sh
# SPDX-License-Identifier: MIT
# Folded stacks: as many as there are events, but for the ends of calls, under the
# program, the calls or the recorded stack that each is in; or what they took, or
# allocated.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
plan 38

make_logs
ok $? "recorded"

sum() {
	awk '{ sum += $NF } END { print sum + 0 }' "$@"
}
for log in $LOGS; do
	ends folded "$log"
	json "$log" >events
	# Those that are over when they are recorded have no other event.
	[ "$log" = short ] || sed -i '/"name":"call:exit"/d' events
	is "$(sum export)" "$(wc -l <events)" \
		"$log: as many as events, without the ends of calls"
done
ends folded two.1 two.2
is "$(sum export)" "$(json two.1 two.2 | grep -vc '"name":"call:exit"')" \
	"two logs: as many as events"
is "$(LC_ALL=C sort -c export && sed 's/ [0-9]*$//' export | uniq -d)" "" \
	"each stack once, in order"

# folded: of lines of events: TIME PID ID FIELD...
folded() {
	awk '{
		line = $1 " " $2 " " $2 " 0 " $3 " 0"
		for (i = 4; i <= NF; i++)
			line = line " " $i
		print line
	}' | "$VICTIMS/victim-mklog" log
	dump -f folded
}
is "$(folded <<-'END'
	1 10 27 i:1 i:0 s:/bin/make s:/ s:/x/make s:-j
	2 10 240 x:0x1000 s:parse s:libx.so
	2 10 240 x:0x2000 s:a;b s:libx.so
	2 10 240 x:0x3000 s:note s:libx.so
	3 10 241 x:0x1000
	4 10 241 x:0x2000
	5 10 241 x:0x3000
	6 10 242 x:0x2000 x:0
	7 10 24 i:10
	8 10 242 x:0x1000 x:0
	9 10 241 x:0x3000
END
)" 'make;call:symbol 3
make;note 1
make;parse 2
make;parse;a:b 1
make;parse;a:b;note 1
make;process:start 1
make;thread:start 1' \
	"calls are nested; one without return is none; no semicolon in a frame"
is "$(folded <<-'END'
	1 10 27 i:1 i:0 s:/bin/make s:/ s:make
	2 10 240 x:0x1000 s:parse s:libx.so
	3 10 241 x:0x1000
	4 10 17 i:11
	5 11 18 s:/bin/cc
	6 11 27 i:10 i:0 s:/bin/cc s:/
	7 11 25
	8 10 242 x:0x1000 x:0
END
)" 'cc;process:start 1
cc;thread:exit 1
make;call:symbol 1
make;parse 1
make;parse;process:fork 1
make;process:exec 1
make;process:start 1' "a fork child has its parent's name until it has its own"
is "$(dump -f folded -n 'process:exec')" "make;process:exec 1" \
	"... which is known of events that are not shown"
is "$(folded <<-'END'
	1 10 241 x:0x1000
	2 10 241 x:0x2000
	3 10 242 x:0x1000 x:0
	4 10 242 x:0x3000 x:0
	5 10 999
	6 10 241
END
)" '[unknown];#999 1
[unknown];[unknown] 1
[unknown];[unknown];[unknown] 1
[unknown];call:enter 1
[unknown];call:exit 1' "nothing is known, and a return has no call"

"$VICTIMS/victim-stack" log
like "$(dump -f folded -n stacked)" \
	'^victim-stack;.*;main;outer;inner;stacked 1$' \
	"a recorded stack: the root first, without addresses"

echo 'of what calls take, that of others inside of them is not their own' >why
is "$("$VICTIMS/victim-mklog" log <<-'END'; dump -f folded --weight=time
	1 10 10 0 240 0 x:0x1000 s:f s:libx.so
	1 10 10 0 240 0 x:0x2000 s:g s:libx.so
	2 10 10 0 241 0 x:0x1000
	3 10 10 0 241 0 x:0x2000
	5 10 10 0 242 0 x:0x2000 x:0
	6 10 10 0 241 0 x:0x2000
	8 10 10 0 242 0 x:0x2000 x:0
	9 10 10 0 242 0 x:0x1000 x:0
	9 10 10 0 241 0 x:0x2000
END
)" '[unknown];f 3
[unknown];f;g 4' "$(cat why)"
run -k -e process,mem,file sh -c 'cat /none' 2>/dev/null
is "$(dump -f folded --weight=time | sum)" "$(json log | sed -n \
	's/.*"dur":\([0-9]*\).*/\1/p' | sum)" "time: all that calls of libc took"
is "$(dump -f folded --weight=bytes | sum)" "$("$PTRACE_DUMP" -f json log |
	python3 -c '
import json, sys
events = [json.loads(line) for line in sys.stdin]
print(sum(e["args"]["size"] * e["args"].get("count", 1) for e in events
          if e["name"] in ("mem:malloc", "mem:calloc", "mem:realloc", "mem:aligned")
          and int(e["args"]["ret"], 16)))')" "bytes: all that was allocated"
# of_heaps COLUMN: of all programs of processes together.
of_heaps() {
	"$PTRACE_REPORT" --memory --json log | python3 -c "
import json, sys
print(sum(heap['$1'] for heap in json.load(sys.stdin)['heaps']))"
}
is "$(dump -f folded --weight=peak | sum)" "$(of_heaps peak)" \
	"peak: the peaks of all programs"
is "$(dump -f folded --weight=leaked | sum)" "$(of_heaps leaked)" \
	"leaked: what they did not free"
run -k -e mem,process "$VICTIMS/victim-heap" 2>/dev/null
is "$(dump -f folded --weight=peak | sed -n 's/.*;main;//p')" 'large;mem:malloc 10000
leaks;mem:malloc 30' "peak: what is there when there is most"
is "$(dump -f folded --weight=leaked | sed -n 's/.*;main;//p')" \
	'leaks;mem:malloc 50' "leaked: what is never freed"
"$VICTIMS/victim-mklog" log <<-'END'
	1 1 1 0 5 0
	2 1 1 0 6 0
END
dump -f folded --weight=leaked >said 2>&1
is "$(cat said)" \
	"ptrace-dump: events were lost: what they freed counts as leaked" \
	"what frees may be lost: says so"
is "$(status "$PTRACE_DUMP" -f folded --weight=hours log)" 2 "no other weight"

# What a log has nothing of is said, with what records it.
"$PTRACE_RUN" -q -e process -o log true
for weight in peak leaked bytes; do
	like "$(dump -f folded --weight=$weight 2>&1)" \
		'no allocations were recorded: ptrace-run -e \+mem' \
		"--weight=$weight without allocations"
done
like "$(dump -f folded --weight=cpu 2>&1)" \
	'no samples were recorded: ptrace-run --sample' \
	"--weight=cpu without samples"
