#!/bin/sh
# SPDX-License-Identifier: MIT
# What strace and the log say of one and the same run: every field of every event
# that is a system call, each flag and constant by its name, and addresses.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/strace.sh"
plan 22

victim=$abs_top_builddir/t/preload/victim-calls
compare file 140 "$victim" file
compare io 100 "$victim" io
compare mem 15 "$victim" mem
compare net 25 "$victim" net
compare sync 2 "$victim" sync
compare time 15 "$victim" time
python=$(python_itself)
compare flags 1900 "$python" -S "$abs_top_srcdir/t/lib/flags.py"

# Those that t/lib/strace.py knows, and that no call above was.
sort -u kinds >seen
sed -n 's/^\([a-z]*:[a-z_]\{1,\}\) [a-z].*/\1/p' \
	"$abs_top_srcdir/t/lib/strace.py" | sort -u >known
is "$(comm -13 seen known | tr '\n' ' ')" "" "every event was compared"
