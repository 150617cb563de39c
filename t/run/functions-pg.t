#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f, for programs whose functions call a hook because of an option of
# the compiler: each call is recorded once, with its end, and what is behind the
# hook is called as without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/functions.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" awk cmp
todo_coverage "counters of gcov within the functions"
plan 47
known=$abs_top_srcdir/t/run/functions-known.c

# make_known FLAGS: the program; false: there is no such option.
make_known() {
	# shellcheck disable=SC2086
	$CC $1 -o known "$known" 2>err
}

for flags in '-O0 -pg' '-O2 -pg' '-Os -pg' '-O2 -pg -fno-pie -no-pie' \
	'-O2 -pg -mfentry' '-O2 -pg -mfentry -fno-pie -no-pie' \
	'-O2 -pg -mfentry -fcf-protection=full' \
	'-O2 -fpatchable-function-entry=5' '-O0 -finstrument-functions' \
	'-O2 -finstrument-functions' \
	'-O2 -finstrument-functions -fno-plt -fno-pie -no-pie'; do
	if make_known "$flags"; then
		same "$flags" ./known
		compare "$flags"
	else
		for _ in 1 2 3; do skip "$flags" "it cannot be made"; done
	fi
done

# What gprof says of its calls, by its own profiler, which is behind the hook.
profile() {
	gprof -b -p ./known gmon.out | awk -v names="^($names)\$" '
		$NF ~ names { print $NF, $4 }' | sort
}
for flags in '-O2 -pg -fno-pie -no-pie' '-O2 -pg -mfentry -fno-pie -no-pie'; do
	if gprof --version >/dev/null 2>&1 && make_known "$flags"; then
		./known >out
		profile >plain
		run -f '*' ./known >out
		profile >traced
		is "$(wc -l <plain)$(diff plain traced)" 9 "$flags: gmon.out"
	else
		skip "$flags: gmon.out" "it cannot be made, or no gprof"
	fi
done

# Others, which are not patched, are recorded by the hook; and by entry alone,
# or not, as limits say.
for flags in -pg -finstrument-functions; do
	make_known "-O2 $flags" || {
		for _ in 1 2 3 4; do skip "$flags" "it cannot be made"; done
		continue
	}
	run -f fib ./known >out
	is "$(events 'fib|adds' | cut -d ' ' -f 1,2 | tr '\n' ' ')" \
		"adds 57 fib 465 " "$flags: those that are not patched, too"
	run --entry-only -f '*' ./known >out
	is "$(events 'fib|adds' | tr '\n' ' ')" "adds 57 0 fib 465 0 " \
		"$flags: --entry-only"
	run -f '*' --depth 3 ./known >out
	is "$(events 'fib|all|main' | tr '\n' ' ')" \
		"all 1 1 fib 1 1 main 1 1 " "$flags: --depth"
	run -f '*' --min-duration 10s ./known >out
	is "$(events "$names")" "" "$flags: --min-duration"
done

# A library that has hooks of its own is called as often; also of what is
# inlined.
cat >hooks.c <<'END'
#include <stdio.h>
static long nr[2];
__attribute__((no_instrument_function, destructor)) static void tell(void)
{
	printf("%ld %ld\n", nr[0], nr[1]);
}
__attribute__((no_instrument_function))
void __cyg_profile_func_enter(void *function, void *site)
{
	nr[0] += function != site;
}
__attribute__((no_instrument_function))
void __cyg_profile_func_exit(void *function, void *site)
{
	nr[1] += function != site;
}
END
cat >inlines.c <<'END'
static inline __attribute__((always_inline)) int inner(int n) { return n * 3; }
__attribute__((noinline)) int outer(int n) { return inner(n) + 1; }
int main(void) { return outer(outer(2)); }
END
$CC -O2 -shared -fPIC -o libhooks.so hooks.c
$CC -O2 -finstrument-functions -o inlines inlines.c -L. -lhooks \
	-Wl,--no-as-needed,-rpath,"$T"
same "hooks of a library" ./inlines
is "$(tail -n 1 out)" "5 5" "they have been called"
is "$(events 'inner|outer|main' | tr '\n' ' ')" \
	"inner 2 2 main 1 1 outer 2 2 " "what is inlined is recorded by the hook"
