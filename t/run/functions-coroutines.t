#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f and a thread with several stacks: of each call it is known when it
# began and what it is nested in, whatever runs on the other stacks meanwhile.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/functions.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" awk
todo_coverage "counters of gcov within the functions"
plan 14
coroutines=$abs_top_srcdir/t/run/functions-coroutines.c

# ends: "NAME calls durations" of the functions whose ends are recorded.
ends() {
	"$PTRACE_DUMP" -f json log |
		sed -n 's/.*"name":"call:exit".*"function":"\([a-z_]*\)(*)*"/\1 /p' |
		awk '{ nr[$1]++; known[$1] += /"duration"/ }
		END { for (each in nr) print each, nr[each], known[each] }' | sort
}

for flags in -O0 -O1; do
	# shellcheck disable=SC2086
	$CC $flags -o coroutines "$coroutines"
	# Where only ends are recorded it is the recorder that knows.
	run -f '*' --min-duration 1ns ./coroutines
	is "$? $(ends | tr '\n' ' ')" "3 all 1 1 coroutine 5 5 deep 20 20 main 1 1 \
resume 25 25 rounds 1 1 turn 20 20 " "$flags: all durations are known"
	run -f '*' --depth 2 ./coroutines
	is "$? $(events '[a-z]*' | tr '\n' ' ')" "3 all 1 1 \
coroutine 5 5 deep 5 5 main 1 1 " "$flags: --depth is of each stack"
	run -f '*' ./coroutines
	is "$(events '[a-z]*' | awk '$2 != $3')" "" "$flags: each ends"
done

# In a thread; where nothing on the thread's own stack is recorded; and on more
# stacks than there are nests, some are forgotten, but never wrong.
run -f '*' --min-duration 1ns ./coroutines 3 thread
is "$? $(ends | tr '\n' ' ')" "3 all 1 1 coroutine 3 3 deep 12 12 main 1 1 \
resume 15 15 rounds 1 1 turn 12 12 " "in a thread"
run -f deep -f turn --min-duration 1ns ./coroutines 4
is "$? $(ends | tr '\n' ' ')" "3 deep 16 16 turn 16 16 " \
	"none on the thread's own stack"
run -f '*' --min-duration 1ns ./coroutines 40
is "$? $(ends | awk '$1 == "main" || $1 == "resume"' | tr '\n' ' ')" \
	"3 main 1 1 resume 200 200 " "many stacks: those of the thread's own"
is "$(ends | awk '$1 == "deep" { print $2 }')" 160 "and all calls"
run -f '*' ./coroutines 40
is "$(events '[a-z]*' | awk '$2 != $3')" "" "many stacks: each ends"
run -f '*' --min-duration 10s ./coroutines
is "$(ends)" "" "those that are too short are not there"

# Large variables, and what is left by jumps.
cat >large.c <<'END'
#include <setjmp.h>
#include <string.h>
#define KEPT __attribute__((noinline, noclone))
static jmp_buf place;
KEPT int small(int n) { return n * 1000 + 1000; }
KEPT int large(int n)
{
	char buf[200000];
	memset(buf, n, sizeof(buf));
	return (n == 0 ? 0 : large(n - 1)) + small(buf[n]);
}
KEPT void leaves(int n)
{
	if (n == 0)
		longjmp(place, 1);
	leaves(n - 1);
	__asm__("");
}
int main(void)
{
	volatile int nr = 0;
	if (setjmp(place) == 0 || nr++ < 3)
		leaves(4);
	return large(12) > 0 ? 3 : 0;
}
END
$CC -O1 -o large large.c
run -f '*' --min-duration 1ns ./large
is "$? $(ends | tr '\n' ' ')" "3 large 13 13 main 1 1 small 13 13 " \
	"large variables are of the same stack"
run -f '*' --depth 4 ./large
is "$(events 'large|small' | tr '\n' ' ')" "large 3 3 small 2 2 " \
	"and count as nested; what was left does not"
