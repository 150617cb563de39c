#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -l and -r: what is shown, and what is said of patterns that fit
# nothing.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "$abs_top_srcdir/t/lib/run.sh"
plan 16

# unused OPTION...: what is said of patterns.
unused() {
	"$PTRACE_RUN" -o "$T/log" "$@" 2>&1 >/dev/null |
		sed -n 's/^ptrace-run: \(-[lr] .*\)/\1/p'
}

is "$(unused -l '*' sh -c :)" "" "a pattern that fits is not spoken of"
is "$(unused -l getppidx sh -c :)" \
	"-l getppidx: no traced program calls such a function; close is libc.so.6:getppid" \
	"one that does not is, and what is close"
is "$(unused -l libm:getppid sh -c :)" \
	"-l libm:getppid: no traced program has such a library; close is libc.so.6:getppid" \
	"the name is that of a function in another library"
is "$(unused -l 'lib\c:getppid' sh -c :)" \
	'-l lib\\c:getppid: no traced program has such a library; close is libc.so.6:getppid' \
	"a pattern means to us what it means to the traced program"
is "$(unused -l getppid,, sh -c :)" "" "nothing between commas is no pattern"
is "$(unused -r zzzzzzzzzz sh -c :)" \
	"-r zzzzzzzzzz: no traced program calls such a function" \
	"nothing is close"
is "$(unused -l zzzzzzzzzz -l getppid sh -c :)" \
	"-l zzzzzzzzzz: no traced program calls such a function" \
	"of several, that alone"
is "$(unused -l error sh -c 'tr a b; :')" "" \
	"a child may fit"
is "$(unused -q -l zzzzzzzzzz sh -c :)" "" "quiet is quiet"

status run -l libc:getppid sh -c : >/dev/null
like "$(dump -n call:enter)" \
	'call:enter function=getppid library=libc.so.6 callee=0x[0-9a-f]+ @ ' \
	"text has function and library"
like "$(dump -n call:enter -f json)" \
	'"args":\{"function":"getppid","library":"libc.so.6","callee":"0x[0-9a-f]+"\}' \
	"so has JSON"
is "$(count 'process:start')" 1 "other families stay"
run -e none -l getppid sh -c :
is "$(count 'call:enter'):$(count 'process:start')" 1:0 "-e is about others"
is "$(status "$PTRACE_RUN" -l getppid -p $$)" 2 "not for running processes"

# The names of functions called by true, with -l.
called() {
	run -l "$1" -e none true
	dump | grep -c ' function=_dl_'
}
is "$(called '*')" 0 "* does not mean those by which libc calls the dynamic linker"
is "$(called '_dl_*')" 1 "who names them gets them"
