#!/bin/sh
# SPDX-License-Identifier: MIT
# Recording takes little of the program's stack, and no more than what threads
# with the smallest stacks, and alternate stacks of 8 KiB, have to spare.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
plan 30
todo_coverage "it takes stack"

# lives OPTION...: it does, on small stacks.
lives() {
	"$PTRACE_RUN" -q -o "$T/log" "$@" -- "$VICTIMS/victim-depth" small \
		>"$T/out" 2>&1 </dev/null
	is "$? $(cat "$T/out")" "0 lived" "$*: lives on small stacks"
}

# takes NAME MOST WHAT OPTION...: of that the calls of kind WHAT take at most
# so many bytes, and something, or it would not be seen.
takes() {
	most=$1
	what=$2
	shift 2
	"$PTRACE_RUN" -q -o "$T/log" "$@" -- "$VICTIMS/victim-depth" \
		>"$T/depths" 2>&1 </dev/null
	bytes=$(sed -n "s/^$what: //p" "$T/depths")
	[ "${bytes:-0}" -gt 0 ] && [ "$bytes" -le "$most" ]
	ok $? "$*: $what at most $most" || diag "$(cat "$T/depths")"
}

for option in -l -r; do
	lives -e none "$option" '*'
	lives -e none -k "$option" '*'
	lives -e all -k "$option" '*'
	for what in plain io file lock heap; do
		takes 1024 "$what" -e none "$option" '*'
	done
	for what in plain io file lock heap; do
		takes 1280 "$what" -e none -k "$option" '*'
	done
done
takes 1024 io -e all
takes 1024 handler -e all
takes 1280 handler -e all -k
# Paths are put together in 512 bytes more.
takes 1792 file -e all -k
