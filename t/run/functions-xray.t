#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f, for programs with XRay's room at entries and exits, to which its
# runtime writes: those functions are left alone, which is told, others are
# traced, and the program does what it does without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
need clang
cat >victim.c <<'END'
#include <stdio.h>

__attribute__((noinline)) int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline, xray_never_instrument)) int plain(int n)
{
	__asm__ volatile("" : "+r"(n));
	return fib(n) + 1;
}

int main(void)
{
	printf("%d\n", plain(10));
	return 3;
}
END
clang -O1 -fxray-instrument -fxray-instruction-threshold=1 -o victim victim.c \
	2>err || skip_all "no XRay here"
XRAY_OPTIONS='patch_premain=true xray_mode=xray-basic verbosity=0'
export XRAY_OPTIONS
# By itself it may not run here (no counter, for one).
is_status() {
	"$@" >out 2>errors
	echo "$?$(cat out)"
}
[ "$(is_status ./victim)" = 356 ] || skip_all "XRay does not run here"
plan 7

is "$(is_status "$PTRACE_RUN" -q -f '*' -o log ./victim)" "356" \
	"it runs as without, while XRay writes to it"
like "$(cat errors)" "of what fits '\*' 2 functions are not traced: XRay's" \
	"what is left alone is said"
dump -f json >all
is "$(grep '"name":"call:enter"' all | grep -c '"function":"plain"') \
$(grep '"name":"call:exit"' all | grep -c '"function":"plain"') \
$(grep '"name":"call:enter"' all | grep -c '"function":"fib"')" "1 1 0" \
	"a function without such room is traced, others are not"
like "$(grep '"name":"call:unhooked"' all)" "XRay's runtime writes to it" \
	"... which is told"
is "$("$PTRACE_RUN" --functions-list -f fib -f plain ./victim |
	grep -c "1 refused: XRay's runtime writes to it: fib")" 1 \
	"--functions-list"
like "$("$PTRACE_RUN" -f fib -o log ./victim 2>&1)" \
	"no function that fits 'fib' can be traced: fib \(XRay's runtime" \
	"a pattern that means these only"
# It makes system calls of its own, so that it may have a filter unseen: then no
# memory is asked for, neither for sums.
"$PTRACE_RUN" -q -c -f plain -o log ./victim >out 2>&1
dump -f json >all
is "$(grep '"name":"call:exit"' all | grep -c '"function":"plain"')" \
	"$(grep '"name":"call:enter"' all | grep -c '"function":"plain"')" \
	"-c: what is an event has an end"
