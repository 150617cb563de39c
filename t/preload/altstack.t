#!/bin/sh
# SPDX-License-Identifier: MIT
# A handler on an alternate stack needs no more of it than the manual says, with
# every way to record: it lives where it has so much beyond what it needs itself.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
plan 68
todo_coverage "it takes stack"

# needs MOST WHAT OPTION...: WHAT in a handler needs so many bytes more.
needs() {
	most=$1
	what=$2
	shift 2
	own=$("$VICTIMS/victim-altstack" "$what")
	"$PTRACE_RUN" -q -o "$T/log" "$@" -- "$VICTIMS/victim-altstack" \
		"$what" >"$T/used" 2>&1 </dev/null
	used=$(cat "$T/used")
	[ $((used - own)) -le "$most" ]
	ok $? "$*: $what needs at most $most" || diag "$used, untraced $own"
	"$PTRACE_RUN" -q -o "$T/log" "$@" -- "$VICTIMS/victim-altstack" \
		"$what" $((own + most)) >"$T/out" 2>&1 </dev/null
	is "$? $(cat "$T/out")" "0 lives" "$*: $what lives with that"
}

# Where the kernel does not trust the counter its clock is called for the time.
call=512
nested=704
clock_is_counter || {
	call=1088
	nested=1152
}
for what in io file lock heap jump; do
	needs $call "$what" -e all
	needs $call "$what" -e none -r '*'
	needs $call "$what" -e all -r '*' -a
	needs 1168 "$what" -e all -k
	needs 1168 "$what" -e all -r '*' -a -k
	needs 1168 "$what" -e all -l '*' -r '*' -k
done
# Where there is no room left in what the thread records in.
needs 1280 many -e all
needs 1408 many -e all -r '*' -a -k
# A child has its parent's stack, and is made known first.
needs 2304 vfork -e all
# What is told of within one is on the same stack as its own.
needs $nested nested -e all
