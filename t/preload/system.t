#!/bin/sh
# SPDX-License-Identifier: MIT
# system() and popen() are followed though the program cleared its environment.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 9

for mode in normal clear null; do
	same "$mode" "$VICTIMS/victim-system" $mode
	is "$(events process:start '"argv":\["/bin/echo","from","system"\]')" \
		1 "$mode: system's child"
	is "$(events process:start '"argv":\["/bin/echo","from","popen"\]')" \
		1 "$mode: popen's child"
done
