#!/bin/sh
# SPDX-License-Identifier: MIT
# However a process ends, it ends as it would untraced, and its end is in the
# trace once, with status or signal.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 24

# try HOW ARGS: the victim is the child of a shell, which reaps it: some ends
# only the parent sees.  The shell itself ends with 42.
try() {
	# shellcheck disable=SC2016
	same "$1" sh -c '"$0" "$1"; echo $?; sleep 0.2; exit 42' \
		"$VICTIMS/victim-exit" "$1"
	is "$(events process:exit "\"args\":\{$2[,}]")" 1 "$1: recorded once"
}

for how in return exit _exit _Exit quick_exit bare; do
	try $how '"status":3'
done
try abort '"signal":6'
try kill '"signal":9'
try segv '"signal":11'

same thread "$VICTIMS/victim-exit" thread
is "$(events process:exit '"args":\{"status":0,')" 1 "thread: recorded once"

# The parent's end is an _exit() inside libc.
try daemon '"status":5'
is "$(events process:exit '"status":0')" 2 "daemon: the parent, and sleep"
child=$(events process:exit '"status":5' >/dev/null
	sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$T/found")
is "$(events process:fork "\"child\":${child:-none}\}")" 1 \
	"daemon: the fork inside of it"
