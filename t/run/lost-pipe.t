#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program offered is read from a pipe or counted as lost, and why, when the
# reader leaves.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"
plan 60

# read_all NAME: what the summary calls logged is what the reader got.
read_all() {
	IFS=: read -r logged _ <"$T/said"
	is "$("$PTRACE_DUMP" -f raw "$T/got" 2>/dev/null | grep -c ' offer')" \
		"$(number "$logged")" "$1: it has what the summary says"
	is "$(info "$T/got" lost)" unknown "$1: --info does not know"
}

# leaves STREAM SIZE: the reader, after so many bytes.
leaves() {
	name="$1, a command that reads $2 bytes"
	offer "|head -c $2 >$T/got" --stream-policy "$1"
	sums "$name" 'Broken pipe'
	read_all "$name"
	name="$1, a FIFO of which $2 bytes are read"
	head -c "$2" "$T/fifo" >"$T/got" &
	offer "$T/fifo" --stream-policy "$1"
	wait $!
	sums "$name" 'Broken pipe'
	read_all "$name"
}

mkfifo "$T/fifo"
for policy in loop until-full flush; do
	leaves $policy 1000
	leaves $policy 30000
	leaves $policy 200000
done
leaves block 30000
