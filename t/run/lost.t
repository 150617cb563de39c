#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program offered is in the log or counted as lost, whatever the policies,
# and behind a limit of file sizes: the summary, --info, and the events themselves
# say the same.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"
plan 28

for stream in loop until-full flush block; do
	for log in append 'loop -m 128K' 'until-full -m 128K'; do
		# shellcheck disable=SC2086
		offer "$T/log" --stream-policy $stream --log-policy $log
		sums "$stream, $log" ''
		holds "$T/log" "$stream, $log"
	done
done

for stream in flush block; do
	name="$stream, behind a limit"
	# So many times 512 bytes, or 1024.
	(
		ulimit -f 1400
		offer "$T/log" --stream-policy "$stream"
	)
	cause='File too large'
	# Where the flusher is slow so much is lost that the log stays small.
	if [ $stream = flush ] && [ "$(wc -c <"$T/log")" -lt 700000 ]; then
		cause=
	fi
	sums "$name" "$cause"
	holds "$T/log" "$name"
done
