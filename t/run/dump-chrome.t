#!/bin/sh
# SPDX-License-Identifier: MIT
# Trace Event JSON: valid, and each event in it, as JSON shows it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 119

make_logs
ok $? "recorded"
for log in $LOGS 'two.1 two.2'; do
	# shellcheck disable=SC2086 # several
	ends chrome $log
	check chrome 11 "$log"
done

echo 1 10 10 0 18 0 s:/x | "$VICTIMS/victim-mklog" log
dump -f chrome -n nosuch -o export 2>/dev/null
json -n nosuch log >events
is "$("$abs_top_srcdir/t/run/check-chrome" export events | grep -c ^pass)" 11 \
	"no events"
