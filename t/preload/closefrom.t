#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that closes all descriptors finds none of ours, and stays traced.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 8

for how in loop closefrom close_range bare; do
	same "$how" "$VICTIMS/victim-closefrom" $how
	is "$(events process:exit '"status":6')" 1 "$how: the child is traced"
done
