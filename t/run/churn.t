#!/bin/sh
# SPDX-License-Identifier: MIT
# Thousands of processes, very many of them at once: beginning and end of each
# is told once, nothing is lost, and nothing of them is left.  Also where
# numbers are used again and again.  PTL_T_CHURN: how many; 20000 is much.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 16

NR=${PTL_T_CHURN-4000}
# Those, the victim itself, and what executes it.
is_whole() {
	"$PTRACE_DUMP" --info log >info 2>&1
	grep -q '^log-state: *complete' info
}
# check NAME OTHERS: of so many processes besides.
check() {
	wait_for is_whole
	is "$(sed -n 's/^lost: *//p; s/^not-traced: *//p' info | tr '\n' ' ')" \
		"0 0 " "$1: nothing is lost, nobody is missing"
	is "$(count process:fork) $(count process:exit)" \
		"$((NR + $2)) $((NR + $2 + 1))" "... each birth and each end"
	is "$(count process:start)" "$((NR / 10 + $2 + 1))" "... each program"
}
# left: what is in the run directory but the registry and lives.
left() {
	find /dev/shm -path "*/ptrace-$(id -u)/*" ! -name '[rl].*'
}
# A log is complete before its stream is gone.
is_gone() {
	[ -z "$(left)" ]
}
nothing_left() {
	if [ -z "${PTL_T_OWN_SHM-}" ]; then
		skip "... and nothing is left" "not our own /dev/shm"
		return
	fi
	run true
	wait_for is_gone
	is "$(left)" "" "... and nothing is left"
}

run "$VICTIMS/victim-churn" "$NR" $((NR / 4))
check "ptrace-run" 0
nothing_left
rm -f log
LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log \
	"$VICTIMS/victim-churn" "$NR" $((NR / 4))
check "LD_PRELOAD alone" 0
nothing_left

# again COMMAND...: with numbers up to 400 only.
again() {
	"$@" unshare -pf --mount-proc "$VICTIMS/victim-churn" "$NR" 200 400
}
if [ "$(id -u)" != 0 ] || ! again >/dev/null 2>&1; then
	skip "numbers again" "they cannot be made to come" 8
	exit
fi
again run
check "numbers again" 1
nothing_left
rm -f log
again env LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT="$T/log"
check "numbers again, LD_PRELOAD alone" 1
nothing_left
