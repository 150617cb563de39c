#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --traceparent: the TRACEPARENT that a program has is the span that
# ptrace-dump -f otlp has of it, and what it was given is the span above that;
# without the option no environment is touched.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 28

trace=0af7651916cd43dd8448eb211c80319c
given=00-$trace-b7ad6b7169203331-00
other=00-$trace-00f067aa0ba902b7-01
python3=$(command -v python3)

# spans [LOG]: NAME TRACE SPAN PARENT of each program, in the order of their begin.
spans() {
	"$PTRACE_DUMP" -f otlp "${1:-log}" | python3 -c '
import json, sys
spans = [s for line in sys.stdin for r in json.loads(line)["resourceSpans"]
         for scope in r["scopeSpans"] for s in scope["spans"]
         if ":" not in s["name"]]
for s in sorted(spans, key=lambda s: int(s["startTimeUnixNano"])):
    print(s["name"], s["traceId"], s["spanId"], s.get("parentSpanId", "-"))'
}

# span NAME [LOG]: of the last program of that name.
span() {
	spans "${2:-log}" | awk -v name="$1" '$1 == name { s = $3 } END { print s }'
}

# parent NAME [LOG]: the span that it is in.
parent() {
	spans "${2:-log}" | awk -v name="$1" '$1 == name { s = $4 } END { print s }'
}

# said WORD: the TRACEPARENT that a line of the output has behind that word.
said() {
	sed -n "s/^$1 //p" out
}

# A copy of its own for each, so that each has a name.
for name in first second third fourth; do
	cp "$(command -v sh)" $name
done

TRACEPARENT=$given TRACESTATE=a=b run ./first -c 'echo first $TRACEPARENT
	echo state $TRACESTATE
	./second -c "echo second \$TRACEPARENT"
	env -i ./third -c "echo third \$TRACEPARENT"
	exec ./fourth -c "echo fourth \$TRACEPARENT"' >out
is "$(said first) $(said second) $(said third) $(said fourth)" \
	"$given $given  $given" "nothing is touched without the option"

TRACEPARENT=$given TRACESTATE=a=b run --traceparent ./first -c '
	echo first $TRACEPARENT
	echo state $TRACESTATE
	./second -c "echo second \$TRACEPARENT"
	env -i ./third -c "echo third \$TRACEPARENT"
	exec ./fourth -c "echo fourth \$TRACEPARENT"' >out
for name in first second third fourth; do
	is "$(said $name)" "00-$trace-$(span $name)-00" "$name has its span"
done
is "$(said state)" "a=b" "TRACESTATE stays"
is "$(parent first)" b7ad6b7169203331 "the first is in the span that it was given"
is "$(parent second) $(parent third)" "$(span first) $(span first)" \
	"what it starts is in its own"
is "$(parent fourth)" b7ad6b7169203331 "what it executes is beside it"
is "$(spans | cut -d ' ' -f 3 | sort | uniq -d)" "" "no span twice"

# A trace of its own, where there is none.
TRACEPARENT='' run --traceparent ./first -c './second -c "echo second \$TRACEPARENT"' \
	>out
is "$(said second)" \
	"00-$(spans | sed -n '1s/^first \([0-9a-f]*\) .*/\1/p')-$(span second)-01" \
	"a trace that begins here"
is "$(parent first)" - "... in nothing"

# Programs that make spans themselves, as otel-cli does.
run --traceparent ./first -c "
	TRACEPARENT=$other ./second -c 'echo second \$TRACEPARENT; ./third -c true'" \
	>out
is "$(said second)" "00-$trace-$(span second)-01" \
	"a program that was given another span has its own"
is "$(parent second) $(parent third)" "00f067aa0ba902b7 $(span second)" \
	"... in that one"
run --traceparent ./first -c 'TRACEPARENT=none ./second -c "echo second \$TRACEPARENT"' \
	>out
is "$(said second)" none "what is no TRACEPARENT stays"
id=0af7651916cd43dd8448eb211c80319c
run --traceparent ./first -c "
	for value in 00-00000000000000000000000000000000-b7ad6b7169203331-01 \\
		ff-$id-b7ad6b7169203331-01 00-$id-b7ad6b7169203331-01-more; do
		TRACEPARENT=\$value ./second -c '[ \"\$TRACEPARENT\" = '\$value' ] && echo stays'
	done" >out
is "$(grep -c stays out)" 3 "nor does one that the standard has as invalid change"
is "$(parent second)" "$(span first)" "... and what begins with it is where it was"

# The ways to start a program.
TRACEPARENT=$given run --traceparent "$python3" -c '
import ctypes, os, subprocess
def own(word):
    return ["./second", "-c", "echo %s $TRACEPARENT" % word]
print("first", os.environ["TRACEPARENT"], flush=True)
subprocess.run(own("vfork"))
os.waitpid(os.posix_spawn("./second", own("spawn"), os.environ), 0)
os.waitpid(os.posix_spawn("./second", own("clean"), {"A": "1"}), 0)
os.system("./second -c \"echo system \\$TRACEPARENT\"")
if os.fork() == 0:
    print("fork", os.environ["TRACEPARENT"], flush=True)
    libc = ctypes.CDLL(None, use_errno=True)
    argv = (ctypes.c_char_p * 2)(b"second", None)
    bad = (ctypes.c_void_p * 2)(8, None)
    libc.execve(b"./second", argv, ctypes.c_void_p(8))
    print("list", ctypes.get_errno(), flush=True)
    libc.execve(b"./second", argv, bad)
    print("text", ctypes.get_errno(), flush=True)
    os.execv("./second", own("exec"))
os.wait()' >out
spans | awk -v trace=$trace '{ print "00-" trace "-" $3 "-00" }' | sort >ids
for word in vfork spawn clean system exec; do
	said $word
done | sort >words
is "$(sort -u words | wc -l)" 5 "five programs, five spans"
is "$(comm -13 ids words)" "" "each is the export's: vfork, spawn, system, fork, exec"
is "$(said fork)" "$(said first)" "a child that executes nothing has its parent's"
is "$(said list) $(said text)" "14 14" "a bad environment is EFAULT"

# With the library alone, and programs that are not traced.
TRACEPARENT=$given PTRACE_TRACEPARENT=1 PTRACE_OUTPUT=plain LD_PRELOAD=$LIBPTRACE \
	./first -c 'echo first $TRACEPARENT' >out 2>/dev/null
is "$(said first)" "00-$trace-$(span first plain)-00" "PTRACE_TRACEPARENT"
PTRACE_TRACEPARENT=1 PTRACE_OUTPUT=plain LD_PRELOAD=$LIBPTRACE \
	env -u TRACEPARENT ./second -c 'echo second $TRACEPARENT' >out 2>/dev/null
is "$(said second | cut -d - -f 3)" "$(span second plain)" \
	"... where there was none before"
TRACEPARENT=$given run --traceparent --skip second ./first -c '
	echo first $TRACEPARENT; ./second -c "echo second \$TRACEPARENT"' >out
is "$(said second)" "$(said first)" "a program that is left out has its parent's"
is "$(status "$PTRACE_RUN" --traceparent -e file ./first) $(sed -n 1p err)" \
	"2 ptrace-run: --traceparent needs the programs' own events: -e +process" \
	"no span without the events of processes"
TRACEPARENT=$given "$PTRACE_RUN" -q -o log --traceparent --environment ./first -c : &&
	"$PTRACE_DUMP" -f json -n process:environment log >events
is "$(grep -c "TRACEPARENT=00-$trace-$(span first)-00" events)" 2 \
	"--environment shows what the program sees"
is "$(status "$PTRACE_RUN" --traceparent -p 1) $(sed -n 1p err)" \
	"2 ptrace-run: --traceparent and -p exclude each other: a program is given its TRACEPARENT when it starts" \
	"not of a program that runs"

# A static program, where the library can be put into it.
printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' \
	'int main(void) { return puts(getenv("TRACEPARENT")) < 0; }' >fixed.c
if [ "$(uname -m)" != x86_64 ] || ! ${CC:-cc} -w -static -o fixed fixed.c 2>/dev/null; then
	skip "a static program" "x86-64 only, with a static C library"
elif run --reach static --traceparent ./first -c ./fixed >out &&
	"$PTRACE_DUMP" --info log | grep -q '^not-traced: *[1-9]'; then
	skip "a static program" "it cannot be traced here"
else
	is "$(cut -d - -f 3 out)" "$(span fixed)" "a static program"
fi
