#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the loader only lists what it would load we are not in the list, and it
# is no program that could not be traced; a program that it runs is traced.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need ldd
plan 10

loader=$(readelf -l /bin/sh 2>/dev/null | sed -n 's/.*interpreter: \(.*\)]/\1/p')
[ -x "$loader" ] || skip_all "no loader"
# lists NAME COMMAND...: addresses differ.
lists() {
	name=$1
	shift
	"$@" 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/' >"$T/plain.out"
	run_traced "$@"
	sed 's/0x[0-9a-f]*/ADDRESS/' "$T/traced.out" | diff "$T/plain.out" - \
		>"$T/difference"
	is "$(cat "$T/difference")" "" "$name"
	is "$("$PTRACE_DUMP" --info "$T/log" | grep '^not-traced' |
		tr -d ' ')" "not-traced:0" "$name: no program"
}
lists ldd ldd /bin/true
lists --list "$loader" --list /bin/true
lists "--library-path, --verify" "$loader" --library-path /nowhere --verify \
	/bin/true
lists LD_TRACE_LOADED_OBJECTS env LD_TRACE_LOADED_OBJECTS= /bin/true
same "a program that it runs" "$loader" /bin/true
is "$(events process:start)" 1 "is traced"
