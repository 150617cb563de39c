#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls are recorded, all of them and no harm done, by many threads, on a small
# stack, in a handler, in a vfork child, under seccomp, and when the thread is
# cancelled in the call.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 23
victim=$VICTIMS/victim-calls-hard

# hard WHAT: traced, all families.
hard() {
	"$victim" "$1" >"$T/plain.out" 2>&1 </dev/null
	is $? 0 "$1: untraced"
	rm -f "$T/log"
	"$PTRACE_RUN" -q -e all -b 16M --stream-policy block -o "$T/log" -- \
		"$victim" "$1" >"$T/traced.out" 2>&1 </dev/null
	is $? 0 "$1: traced"
}
hard threads
is "$(events file:access '"path":"/"')" 80000 "as many events as calls"
hard ends
is "$(events mem:malloc '"size":10,')" 2000 "a call of each thread"
is "$(events thread:exit)" 2000 "and each end"
# libc frees on its way out; main frees what threads left.
events mem:free '"ptr":"0x0"' >"$T/out"
is "$(grep -cvE '"pid":([0-9]+),"tid":\1,' "$T/found")" 0 \
	"and nothing after that"
hard stack
is "$(events file:open ENAMETOOLONG '"path":"x{4000,4096}"')" 1 \
	"a path that is too long is cut"
hard cancel
is "$(events io:read '"ret":1')" 1 "a call that did not return is none"
hard signals
is "$(events file:access '"errno":"ENOENT","path":"/no/such"')" 200 \
	"as many events as handlers"
hard vfork
is "$(events file:open '"path":"/no/such/file"')" 1 "a vfork child's call"
hard seccomp
is "$(events file:open '"ret":-1')" 2 "what fails is recorded under seccomp"
