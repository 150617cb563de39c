#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that make processes, or become one.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 5

for how in all left exec raw; do
	tree $how "$VICTIMS/victim-tree-threads" $how
done
is "$(grep -c '"name":"process:fork"' json)" 6 "raw: each child"
