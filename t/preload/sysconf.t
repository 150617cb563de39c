#!/bin/sh
# SPDX-License-Identifier: MIT
# With the library preloaded getconf tells that the Trace option is there, and
# the rest as without it; also code that runs before the library does is told.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need getconf
plan 10

conf() {
	LD_PRELOAD=$LIBPTRACE PTRACE_DISABLE=1 "$@" 2>&1
}
# Its names of the limits came later than the options', if ever.
for name in _POSIX_TRACE _POSIX_TRACE_EVENT_FILTER _POSIX_TRACE_INHERIT \
	_POSIX_TRACE_LOG; do
	is "$(conf getconf "$name")" 200809 "$name"
done
for name in TRACE_EVENT_NAME_MAX=255 TRACE_NAME_MAX=255 TRACE_SYS_MAX=64 \
	TRACE_USER_EVENT_MAX=1024; do
	if getconf "${name%=*}" >"$T/out" 2>&1; then
		is "$(conf getconf "${name%=*}")" "${name#*=}" "${name%=*}"
	else
		skip "${name%=*}" "unknown to getconf"
	fi
done
# Memory and processors may come and go.
others() {
	getconf -a | grep -vE 'TRACE|_AVPHYS_PAGES|_NPROCESSORS_ONLN'
}
others >"$T/plain"
LD_PRELOAD=$LIBPTRACE PTRACE_DISABLE=1 getconf -a |
	grep -vE 'TRACE|_AVPHYS_PAGES|_NPROCESSORS_ONLN' >"$T/preloaded"
is "$(diff "$T/plain" "$T/preloaded")" "" "all others"

# An indirect function's resolver runs while the libraries are being linked.
cat >"$T/early.c" <<'END'
#include <stdio.h>
#include <unistd.h>
static long option, page;
static int one(void) { return 1; }
static int (*choose(void))(void)
{
	option = sysconf(_SC_TRACE);
	page = sysconf(_SC_PAGESIZE);
	return one;
}
int early(void) __attribute__((ifunc("choose")));
int main(void)
{
	int got = early();
	printf("%d %ld %d\n", got, option, page == sysconf(_SC_PAGESIZE));
	return 0;
}
#include <stdio.h>
#include <unistd.h>
static long option, page;
static int one(void) { return 1; }
static int (*choose(void))(void)
{
	option = sysconf(_SC_TRACE);
	page = sysconf(_SC_PAGESIZE);
	return one;
}
int early(void) __attribute__((ifunc("choose")));
int main(void)
{
	int got = early();
	printf("%d %ld %d\n", got, option, page == sysconf(_SC_PAGESIZE));
	return 0;
}
END
if ${CC:-cc} -Wl,-z,now -o "$T/early" "$T/early.c" 2>"$T/cc"; then
	is "$(conf "$T/early")" "1 200809 1" "an indirect function"
else
	skip "an indirect function" "the compiler knows none"
fi
