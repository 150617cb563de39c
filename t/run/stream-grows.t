#!/bin/sh
# SPDX-License-Identifier: MIT
# Many threads that record at once lose nothing by default: the stream grows.
# Where there is no memory for that, the program goes on, and each event is in
# the log or counted.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 10

# crowd NAME THREADS EVENTS OPTION...: the program is traced; $T/said is how many
# events it recorded, and how many were lost.
crowd() {
	name=$1 threads=$2 events=$3
	shift 3
	"$PTRACE_RUN" -e none -o log "$@" \
		"$VICTIMS/victim-crowd" "$threads" "$events" 2>err
	is $? 0 "$name: it ends as it does"
	lost=$(sed -n 's/.* events, \([0-9 ]*\) lost.*/\1/p' err | tr -d ' ')
	there=$("$PTRACE_DUMP" -f json -n crowd log | wc -l)
	is $((there + ${lost:-0})) $((threads * events)) \
		"$name: each event is there or counted"
}

for threads in 64 200; do
	crowd "$threads threads" $threads 1000
	is "$lost" 0 "$threads threads: none is lost"
done
if [ -n "${PTL_T_PRIVATE_SHM-}" ]; then
	mount -o remount,size=3m /dev/shm
	for policy in flush block; do
		crowd "$policy, no memory to grow" 200 5000 \
			--stream-policy $policy
	done
else
	skip "no memory to grow" "no mount namespace" 4
fi
