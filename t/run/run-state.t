#!/bin/sh
# SPDX-License-Identifier: MIT
# The command inherits what ptrace-run was given, and nothing else.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 4

# A descriptor of the user's own stays.
exec 7</dev/null
state=$VICTIMS/victim-state
is "$(run "$state")" "$("$state")" "signals and descriptors"
is "$(trap '' INT CHLD USR1 && run "$state")" \
	"$(trap '' INT CHLD USR1 && "$state")" "ignored signals"
is "$(run -D "$state")" "$("$state")" "signals and descriptors with -D"
is "$( (trap '' CHLD && run sh -c 'exit 9') || echo $?)" 9 \
	"the status, with SIGCHLD ignored"
