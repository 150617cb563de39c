#!/bin/sh
# SPDX-License-Identifier: MIT
# Exec and spawn with a bad path, list of arguments or environment fail as the
# kernel says, in processes that are traced and in those that only have the
# library; what it takes is traced.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 5

victim=$VICTIMS/victim-bad-pointers
same "traced" "$victim"
is "$(grep -c 'EFAULT' "$T/plain.out" | awk '{ print ($1 > 100) }')" 1 \
	"most are refused"
is "$(events process:exec_failed '"errno":14,' | awk '{ print ($1 > 90) }')" 1 \
	"and told"
families=all
same "traced, all families" "$victim"
env LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1 "$victim" >"$T/traced.out" \
	2>"$T/traced.err"
echo $? >"$T/traced.status"
compare "with the library alone"
