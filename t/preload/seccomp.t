#!/bin/sh
# SPDX-License-Identifier: MIT
# A process that may no longer make system calls is not killed for ours.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 9
todo_coverage "libgcov makes system calls"

# The filter allows no fstat() either: unbuffered, returning is enough.
for how in strict prctl seccomp exit fork thread vforked; do
	same "$how" "$VICTIMS/victim-seccomp" $how
done
run_traced "$VICTIMS/victim-seccomp" exit
is "$(events process:exit '"status":5')" 1 "its end is still recorded"
run_traced "$VICTIMS/victim-seccomp" prctl
is "$(events process:exit '"status":6')" 1 "also by return from main"
