#!/bin/sh
# SPDX-License-Identifier: MIT
# A user who sees to it that what root's programs wait for never comes to rest
# does not hold them up: traces of him end, and logs can be read.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"
plan 4

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
	is "$(cat early), $finished, $(reads), $(valid)" "ok, 0, ok, ok" \
		"$name" || diag "$(cat -v say)"
	kill -9 $churner
	wait $churner 2>/dev/null || :
}

churned "a log that grows"
churned "a log that is full" --log-policy until-full -m 256K
churned "a log that loops" --log-policy loop -m 256K
churned "a stream that loops" --stream-policy loop
