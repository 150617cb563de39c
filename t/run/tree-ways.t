#!/bin/sh
# SPDX-License-Identifier: MIT
# Trees of processes are as whole with ptrace-run -D, and with LD_PRELOAD alone.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
plan 10

for way in detach preload; do
	for name in close env shell static threads; do
		TREE_WAY=$way "$abs_top_srcdir/t/run/tree-$name.t" \
			>"$T/out" 2>&1
		ok $? "$way: $name" || diag "$(grep -v '^ok ' "$T/out")"
	done
done
