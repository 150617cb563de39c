#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f: functions inside programs, as they were built: each call is
# recorded, with its end, and the program does what it does without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/functions.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
CXX=${CXX:-c++}
need "${CC%% *}" "${CXX%% *}" strip objcopy awk cmp
todo_coverage "counters of gcov within the functions"
plan 129
source=$abs_top_srcdir/t/run

# is_complete: the log, whose controller is a process of its own.
is_complete() {
	"$PTRACE_DUMP" --info log 2>/dev/null | grep -q '^log-state: *complete'
}

for flags in -O0 -O1 -O2 -O3 -Os '-O2 -fPIE -pie' '-O2 -no-pie -fno-pie' \
	'-O2 -fcf-protection=full' '-O2 -fomit-frame-pointer -flto' \
	'-O2 -Wl,--build-id=none'; do
	# shellcheck disable=SC2086
	$CC $flags -o known "$source/functions-known.c" 2>err || {
		for _ in 1 2 3 4 5 6 7 8 9; do skip "made with $flags" "it cannot be"; done
		continue
	}
	same "made with $flags" ./known
	compare "made with $flags"
	# shellcheck disable=SC2086
	$CC $flags -o hard "$source/functions-hard.c"
	same "hard cases, made with $flags" ./hard
	# Of a function no more ends than calls.
	is "$(events 'switches|threaded' |
		awk '$3 > 0 && $3 != $2')" "" "no false ends, made with $flags"
	# shellcheck disable=SC2086
	$CXX $flags -o stacks "$source/functions-stacks.cc"
	same "stacks, made with $flags" ./stacks
	# Its handler is not traced: it comes within the recorder, too.
	is "$(run -f 'triples*' -f 'even*' -f 'odd*' -f 'self*' -f 'keeps*' \
		-f 'chooses*' -f 'interprets*' -f 'large*' -f 'virtually*' \
		-f '*value*' ./stacks steps)" "0 cut" \
		"whole stacks at each instruction, made with $flags"
done

# Exceptions that a handler throws, of an instruction that is no call.
cat >faults.cc <<'END'
#include <csignal>
#include <cstdio>
static void handler(int) { throw 5; }
__attribute__((noinline)) int reads(volatile int *at)
{
	try { return *at; } catch (int error) { return -error; }
}
int main()
{
	struct sigaction action = {};
	action.sa_handler = handler;
	action.sa_flags = SA_NODEFER;
	sigaction(SIGSEGV, &action, nullptr);
	int there = 3, here = reads(&there);
	printf("%d %d\n", here, reads(nullptr));
	return 2;
}
END
$CXX -O1 -fnon-call-exceptions -o faults faults.cc
same "exceptions of instructions" ./faults

$CC -O2 -g -o known "$source/functions-known.c"
same "a fork and an exec" ./known fork
is "$(events fib)" "fib 930 930" "both are recorded"

# In text: with result and duration; a tail call is over where it jumps.
run -f adds -f odd ./known >out
is "$("$PTRACE_DUMP" log | grep -c -E ' [0-9.]+(m|n|u|µ)?s  known\[.* adds\(\) = 2 ')" 1 \
	"text has its result, and how long it took"
is "$("$PTRACE_DUMP" log | grep -c -E 'fib\(|tiny\(')" 0 "others are not there"
run -f even ./known >out
is "$("$PTRACE_DUMP" log | grep -c -E 'even\(\) *( at |$)') \
$("$PTRACE_DUMP" log | grep -c -E 'even\(\) = 1')" \
"$(awk '$1 == "even" { print $2 - 2 }' out) 2" "what ends by a jump has no result"
run --entry-only -f '*' ./known >out
is "$(events fib)" "fib 465 0" "--entry-only"
"$PTRACE_REPORT" --calls log >report
is "$(awk '$NF ~ /^fib/ { print $1 }' report)" 465 "the report counts these"

# Not those that are short, or deep: the rest is as without.
run -f '*' --min-duration 10s ./known >out
is "$? $(count 'call:e[a-z]*')" "3 0" "--min-duration"
run -f '*' --min-duration 1ns ./known >out
is "$(events 'adds|fib|leaves' | tr '\n' ' ')" "adds 0 57 fib 0 465 " \
	"--min-duration: one event a call"
run -f fib -f all -f main --depth 3 ./known >out
is "$(events 'fib|all|main' | tr '\n' ' ')" "all 1 1 fib 1 1 main 1 1 " "--depth"
run -f fib --depth 3 --min-duration 1ns ./known >out
is "$(events fib)" "fib 0 7" "both"

# What is small is left out, and counted.
run -f '*' --min-size 64 ./known >out
is "$? $(events 'fib|main|tiny')" "3 $(events 'fib|main')" \
	"--min-size: what is larger is there, what is smaller is not"
is "$(dump | grep -c 'call:unhooked.*reason="smaller than --min-size"')" 1 \
	"call:unhooked counts it"
"$PTRACE_RUN" --functions-list -v -f tiny -f fib --min-size 64 ./known >list
is "$(sed -n 's/.* tiny: //p; s/^ *\([0-9]* refused.*\)/\1/p' list)" \
	"refused: smaller than --min-size
1 refused: smaller than --min-size: tiny" "--functions-list says so"

# What is told.
run -f '*' ./known >out
is "$(dump | sed -n 's/.*call:hooks slots=\([0-9]*\) glob="\*".*/\1/p')" 11 \
	"call:hooks: the functions of a pattern"
"$PTRACE_RUN" -q -o log -f 'nothing_*' ./known >out 2>err
is "$? $(cat err)" "3 ptrace-run: --functions: no function fits 'nothing_*'" \
	"a pattern that fits nothing is told, and the program runs"
"$PTRACE_RUN" -q -o log -f 'libnone:*' ./known >out 2>err
is "$? $(cut -d ';' -f 1 err)" \
	"3 ptrace-run: --functions: not in COMMAND nor a library that it needs: 'libnone'" \
	"so is a library that is not there"

"$PTRACE_RUN" -q -o log -f '_sta*' -f main ./known >out 2>err
is "$? $(cat err)" "3 ptrace-run: --functions: no function that fits '_sta*' \
can be traced: _start (start-up code)" "one that fits nothing that can be traced, too"

"$PTRACE_RUN" -f '*' -p $$ 2>err
is "$? $(head -n 1 err)" "2 ptrace-run: -f, -l and -r need --inject with -p: the \
program that runs is changed" "a running process"

if strace -o /dev/null true 2>/dev/null; then
	strace -f -o /dev/null "$PTRACE_RUN" -q -o log -f '*' ./known >out
	is "$? $(dump | sed -n 's/.*call:unhooked slots=\(.*: a .*\)/\1/p')" \
		"3 11 reason=\"known: a debugger has the process\"" \
		"a process with a debugger is left alone"
else
	skip "a process with a debugger is left alone" "no strace"
fi

# LD_PRELOAD alone.
LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log PTRACE_FUNCTIONS='fib,adds' ./known >out
wait_for is_complete
is "$(events 'fib|adds|even' | tr '\n' ' ')" "adds 57 57 fib 465 465 " \
	"LD_PRELOAD and PTRACE_FUNCTIONS"

# A library's; and the program that has it is not.
cat >lib.c <<'END'
__attribute__((noinline)) static int inner(int n) { return n * 3; }
int outer(int n) { return inner(n) + 1; }
END
cat >uses.c <<'END'
int outer(int n);
int main(void) { return outer(outer(2)); }
END
$CC -O2 -shared -fPIC -o libouter.so lib.c
$CC -O2 -o uses uses.c -L. -louter -Wl,-rpath,"$T"
run -f 'libouter:*' ./uses
is "$? $(events 'outer|inner|main' | tr '\n' ' ')" "22 inner 2 2 outer 2 2 " \
	"functions of a library, static ones, too"
run -f 'libouter:inn*' -f main ./uses
is "$(events 'outer|inner|main' | tr '\n' ' ')" "inner 2 2 main 1 1 " \
	"and of both"

# A program that COMMAND starts, by its path.
run -f './known:fib' -f './libouter.so:*' sh -c './known; ./uses' >out
is "$? $(events 'fib|outer|adds' | tr '\n' ' ')" "22 fib 465 465 outer 2 2 " \
	"what a shell starts, by path"
"$PTRACE_RUN" -q -o log -f './none:*' ./known >out 2>err
is "$? $(head -n 1 err)" "3 ptrace-run: --functions: ./none: No such file or directory" \
	"a path that is not there is told"

# A stripped program: functions by their addresses, as the unwind table has them.
strip -o stripped known
run -f '*' ./stripped >out
is "$? $(grep -c . out)" "3 16" "a stripped program runs"
[ "$(count call:enter)" -gt 700 ]
ok $? "and is traced"

# A program that COMMAND executes, of the same name.
mkdir other && $CC -O2 -o other/known uses.c -L. -louter -Wl,-rpath,"$T"
cat >starts.c <<'END'
#include <unistd.h>
int main(void) { return execl("other/known", "known", (char *)0); }
END
$CC -O2 -o known starts.c
run -f '*' ./known
is "$? $(events 'main')" "22 main 2 2" "another program has its own patches"
$CC -O2 -g -o known "$source/functions-known.c"

# Worlds in which code cannot be written in one way or the other.
for world in mdwe noproc; do
	run -f '*' ./known $world >out
	status=$?
	if [ $status = 77 ]; then
		skip "$world" "there is no such world"
		skip "$world, calls" "there is no such world"
		continue
	fi
	is $status 3 "$world"
	compare $world
done

# With others at work on the same functions.
run -f '*' -r '*' -k -e all ./known >out
is "$?" 3 "with -r, -k and all families"
compare "with -r, -k and all families"
is "$("$PTRACE_DUMP" log | grep -c 'no end seen')" \
	"$("$PTRACE_DUMP" log | grep -c -E 'no end seen.* (leaves|longjmp)|(leaves|longjmp).*no end seen|^.*main.*no end seen')" \
	"what does not return has no end, all else has"

# By libunwind, to load which libc is made ready before: the program is not yet.
run -f '*' -k --unwinder=libunwind ./known >out 2>&1
compare "with libunwind"
