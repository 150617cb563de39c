#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that closes every descriptor goes on being traced, and its children.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 8

for how in loop closefrom close_range syscall; do
	tree $how "$VICTIMS/victim-tree-close" $how
	is "$(sed -n 's/.*"name":"\(closed\|child\|reaped\|new image\)".*/\1/p' \
		json | tr '\n' ' ')" \
		"closed child new image reaped new image " "$how: its own events"
done
