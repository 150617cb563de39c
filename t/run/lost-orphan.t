#!/bin/sh
# SPDX-License-Identifier: MIT
# Of a stream that has no controller any more, and no guardian: the program records
# on while there is room, is kept waiting for none, and what does not fit is
# counted; whoever completes the log says why it is missing.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"
plan 16
[ -z "${PTL_T_PRIVATE_SHM-}" ] || mount -o remount,size=2M /dev/shm

mkfifo go
for policy in loop until-full flush block; do
	# shellcheck disable=SC2086,SC2016 # options, one a word; for the shell
	"$PTRACE_RUN" $options --stream-policy $policy -o "$T/log" sh -c \
		': >ready; read -r _ <go; "$0" "$1"; exit 3' \
		"$VICTIMS/victim-offer" $OFFERED >out 2>err &
	front=$!
	wait_for test -e ready
	rm ready
	# shellcheck disable=SC2046 # two processes
	kill -9 $(guarded "$(monitor_of "$T/log" $front)")
	echo >go
	wait $front
	is $? 3 "$policy: the program's status"
	holds log "$policy"
	lost=$(info log lost)
	like "$(info log controller)" '^killed; 0 processes' "$policy: it is told"
	"$PTRACE_DUMP" -f raw log 2>err >/dev/null
	is "$(grep -c 'controller was killed' err)" "$([ "$lost" = 0 ] ||
		echo 1)$([ "$lost" != 0 ] || echo 0)" "$policy: also why"
	rm log
done
