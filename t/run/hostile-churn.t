#!/bin/sh
# SPDX-License-Identifier: MIT
# A user who sees to it that what root's programs wait for never comes to rest
# does not hold them up: traces of him end, and logs can be read.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"
plan 4

# is_complete: he may have counted processes up, and the tracer left the rest to
# one without a terminal.
is_complete() {
	"$PTRACE_DUMP" --info log 2>/dev/null | grep -q '^log-state: *complete'
}

# churned NAME OPTION...
churned() {
	name=$1
	shift
	begin -e all "$@"
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$VICTIMS/victim-hostile" churn &
	churner=$!
	reads >early
	finish
	reads >late
	kill -9 $churner
	wait $churner 2>/dev/null || :
	wait_for is_complete
	is "$(cat early), $finished, $(cat late), $(valid)" "ok, 0, ok, ok" \
		"$name" || diag "$(cat -v say)"
}

churned "a log that grows"
churned "a log that is full" --log-policy until-full -m 256K
churned "a log that loops" --log-policy loop -m 256K
churned "a stream that loops" --stream-policy loop
