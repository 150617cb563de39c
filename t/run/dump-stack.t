#!/bin/sh
# SPDX-License-Identifier: MIT
# Stacks are shown with the events that have them, by name where there is one.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 11

"$VICTIMS/victim-stack" log
ok $? "recorded"
dump >text
sed -n '/ stacked /,/^[^ ]/p' text | sed -e '1d; /^[^ ]/d' >frames
is "$(sed -n '1,3s/^    \([a-z]*\)+0x[0-9a-f]* (victim-stack)$/\1/p' frames |
	tr '\n' ' ')" "inner outer main " "text: the callers by name"
like "$(sed -n 4p frames)" '^    (.* \(libc.so.6\)|0x[0-9a-f]+)$' \
	"text: a frame of libc"
[ "$(grep -c . frames)" -le 8 ]
ok $? "text: not deeper"
awk '/^    / { if (!has_address) exit 1; next } { has_address = / @ / }' text
ok $? "text: events without an address have none"
dump -f json >events.json
cat >check.py <<'END'
import json, re, sys
events = [json.loads(line) for line in open("events.json")]
stacks = [e for e in events if "stack" in e]
e = [e for e in stacks if e["name"] == "stacked"][0]
print(all(e["stack"][0] == e.get("sym", e["addr"]) for e in stacks),
      e["name"], e["stack"][0] == e["sym"],
      len(e["stack"]) == int(sys.argv[1]),
      all(re.search("^0x|[(].*[)]$", frame) for frame in e["stack"]))
END
is "$(python3 check.py "$(grep -c . frames)")" \
	"True stacked True True True" "json: an array of the same"
like "$(dump --info)" '^stack-depth:? +8$' "the attribute"
"$PTRACE_RUN" -q -o log -- "$VICTIMS/victim-stack" events
is "$(dump -f json | grep -c '"stack"')" 0 "none where none was asked for"

# A thread begins at its function: nothing is behind a call of it.
cat >thread.c <<'END'
#include <pthread.h>
static void *before(void *arg)
{
	return arg;
}
static void *first(void *arg)
{
	return arg;
}
int main(void)
{
	pthread_t thread;

	before(0);
	return pthread_create(&thread, 0, first, 0) || pthread_join(thread, 0);
}
END
if command -v cc >/dev/null && cc -O0 -pthread -o thread thread.c; then
	run -k -e thread ./thread
	like "$(dump -f json -n thread:start)" '"sym":"first\+0x0 \(thread\)"' \
		"the first function of a thread"
	like "$(dump -f json -n thread:start)" \
		'"stack":\["first\+0x0 \(thread\)"' "... in its stack"
	like "$("$PTRACE_DUMP" -n thread:start log | sed -n 2p)" \
		'^ +first \(thread\)$' "... and in text"
else
	skip "the first function of a thread" "no cc" 3
fi
