#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016,SC2094,SC3045 # the log has a name of its own
# What the tools say of a crash: ptrace-report and its page, ptrace-dump, the
# summary of ptrace-run; and of crashes in logs that are damaged or lie.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" python3
todo_coverage "the program is killed before it writes them"
plan 26

ulimit -c 0
cat >x.c <<'END'
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int f(int *by)
{
	return 100 / *by;
}

static int g(char **argv)
{
	if (strcmp(argv[1], "abort") == 0)
		assert(argv[2]);
	if (strcmp(argv[1], "free") == 0)
		free(argv);
	return f(argv[1][0] == 'n' ? NULL : (int[]){argv[2] != NULL});
}

int main(int argc, char **argv)
{
	return argc > 1 && g(argv);
}
END
$CC -O0 -g -w -o x x.c || skip_all "the program cannot be built"

# crashed ARGUMENT...: what the report says of ./x, numbers apart.
crashed() {
	"$PTRACE_RUN" -q --crash -o log ./x "$@" 2>/dev/null
	"$PTRACE_REPORT" log | sed -n '/^crashed/,/^$/p' |
		sed -E 's/\[[0-9]+\] at [0-9.]+s/[PID] at TIME/; s/0x[0-9a-f]+/ADDR/'
}

is "$(LC_ALL=C.UTF-8 crashed null)" "crashed: SIGSEGV at f (x.c:7), called from g (x.c:16) ← main (x.c:21)
         SEGV_MAPERR at ADDR: nothing is mapped there   x[PID] at TIME" "a null pointer"
is "$(LC_ALL=C crashed null | head -n 1)" \
	"crashed: SIGSEGV at f (x.c:7), called from g (x.c:16) <- main (x.c:21)" \
	"without UTF-8"
is "$(crashed zero | sed -n '2s/ADDR.*//p; 1s/,.*//p')" \
	"crashed: SIGFPE at f (x.c:7)
         FPE_INTDIV at " "a division by zero"
is "$(crashed abort | sed 's/,.*main/, main/')" \
	"crashed: SIGABRT at g (x.c:13), main (x.c:21)
         x: x.c:13: g: Assertion \`argv[2]' failed.   x[PID] at TIME" \
	"an assertion: its place, and its words"
like "$(crashed free)" '^crashed: SIGABRT at g \(x\.c:15\).*
 *(free|munmap_chunk)\(\): invalid pointer   x\[PID\]' "a pointer that is none"
is "$(crashed)" "" "a program that does not crash"
"$PTRACE_RUN" -q --crash -o log ./x null 2>/dev/null

# The text: the registers, then the stack.
"$PTRACE_DUMP" -n signal:crash log >text
like "$(head -n 1 text)" 'crashed by SIGSEGV \(SEGV_MAPERR, 0x0\) +at f \(x\.c:7\)$' \
	"ptrace-dump"
[ "$(uname -m)" != x86_64 ] ||
	like "$(cat text)" '
 +rax=0x0 (r.*=0x[0-9a-f]+[ \n]+)+rip=0x[0-9a-f]+ eflags=0x[0-9a-f]+
 +f \(x\.c:7\)
 +g \(x\.c:16\)
 +main \(x\.c:21\)' "registers, then the stack"
[ "$(uname -m)" = x86_64 ] || skip "registers, then the stack" "not x86-64"
"$PTRACE_DUMP" -f json -n signal:crash log >json
cat >fields.py <<'END'
import json, sys
event = json.load(open("json"))
args = event["args"]
print(args["signame"], args["codename"], args["fault"], "pid" in args,
      "message" in args, event["stack_src"][:3])
regs = dict(word.split("=") for word in args["regs"].split())
if "rip" in regs:
    print(int(regs["rip"], 16) + 1 == int(event["addr"], 16))
else:
    print(int(regs["pc"], 16) + 1 == int(event["addr"], 16))
END
is "$(python3 fields.py)" \
	"SIGSEGV SEGV_MAPERR 0x0 False False ['x.c:7', 'x.c:16', 'x.c:21']
True" "JSON"
is "$("$PTRACE_DUMP" -f raw -w 'signo == 11 && fault == 0' log | head -n 1 |
	cut -d ' ' -f 3)" signal:crash "its fields can be asked for"
is "$("$PTRACE_REPORT" --json log | python3 -c 'import json, sys
crash = json.load(sys.stdin)["crashes"][0]
print(crash["signal"], crash["code"], crash["address"], crash["stack"])')" \
	"SIGSEGV SEGV_MAPERR 0x0 ['f (x.c:7)', 'g (x.c:16)', 'main (x.c:21)']" \
	"ptrace-report --json"
for format in chrome perfetto folded ctf; do
	rm -rf export
	"$PTRACE_DUMP" -f "$format" -o export log 2>err
	is "$? $(cat err)" "0 " "-f $format"
done

# Another thread, and who sent it.
cat >send.py <<'END'
import os, signal, threading
signal.pthread_kill(threading.get_ident(), 0)
child = os.fork()
if child == 0:
    signal.pause()
os.kill(child, signal.SIGBUS)
os.waitpid(child, 0)
END
"$PTRACE_RUN" -q --crash -o log python3 -S send.py
like "$("$PTRACE_REPORT" log)" '
crashed: SIGBUS at .*
         sent by process [0-9]+   python3[0-9.]*\[' "who sent it"

# The page.
if command -v node >/dev/null; then
	"$PTRACE_RUN" -q --crash -o log ./x null 2>/dev/null
	"$PTRACE_REPORT" --html page.html log
	like "$(node "$abs_top_srcdir/t/lib/page.js" --notes page.html)" \
		'^crashed: SIGSEGV at f \(x\.c:7\), called from g \(x\.c:16\) ← main \(x\.c:21\) \(SEGV_MAPERR at 0x0, x\[[0-9]+\]\)' \
		"the page begins with it"
else
	skip "the page begins with it" "no node"
fi

# Without --crash the summary says that there is more; not where it was asked for.
"$PTRACE_RUN" -o log ./x null 2>err
is "$(grep killed err)" \
	"ptrace-run: x was killed by SIGSEGV (--crash records where)" "the hint"
for options in --crash -esignal; do
	"$PTRACE_RUN" $options -o log ./x null 2>err
	is "$(grep -c 'killed by' err)" 0 "$options: no hint"
done
"$PTRACE_RUN" -q -o log ./x null 2>err
is "$(grep -c ptrace-run: err)" 0 "-q: no hint"
"$PTRACE_RUN" -o log sh -c 'kill -TERM $$' 2>err
is "$(grep -c 'killed by' err)" 0 "SIGTERM: no hint"

is "$(status "$PTRACE_RUN" --crash -p 1)" 2 "--crash and -p"
like "$(cat err)" '^ptrace-run: --crash and -p exclude each other' "exclude each other"

# Logs that lie: of signals, codes and registers there are none of; short, long.
{
	echo "1000 1 1 0 45 0x1000 i:-99999999999 i:99999999999 x:0x0 i:-1 s: s: b:"
	echo "1001 1 1 0 45 0x1000 i:11 i:-9223372036854775808 x:0xffffffffffffffff i:0 s:m s:St13runtime_error b:0102"
	echo "1002 1 1 0 45 0x1000 i:64 i:128"
	echo "1003 1 1 0 45 0x1000"
	printf '1004 1 1 0 45 0x1000 i:6 i:-6 x:0x0 i:1 s:%s s:%s b:%s\n' \
		"$(printf '%0400d' 7)" "$(printf 'N%0600d' 1)" \
		"$(printf '%0510d' 0)"
	printf '1005 1 1 0 45 0x1000 i:11 i:1 x:0x0 i:0 s: s:S_S_S_S_ b:%s\n' \
		"$(printf '%0496d' 0)"
} | "$VICTIMS/victim-mklog" lies
for reader in "$PTRACE_REPORT" "$PTRACE_REPORT --json" \
	"$PTRACE_DUMP -f text" "$PTRACE_DUMP -f json" "$PTRACE_DUMP -f raw"; do
	$reader lies >out 2>err
	status=$?
	[ $status -lt 2 ] || diag "$reader: $status" "$(cat err)"
	[ $status -lt 2 ] || echo "$reader" >>wrong
done
[ ! -e wrong ]
ok $? "a log that lies is read"
like "$("$PTRACE_REPORT" lies)" '
crashed: signal -99999999999' "a signal that there is none of"
