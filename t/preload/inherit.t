#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that begins under a seccomp filter is not killed, nor told, for
# calls of ours, and is traced with all that it starts.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 27

inherit=$VICTIMS/victim-inherit
"$inherit" kill prctl /bin/true || skip_all "such a filter lets nothing start"
# shellcheck disable=SC2016
mild='/bin/true; (exit 4); x=$(/bin/true; echo x); exit 3'

# Who knows of the filter: nobody but the kernel, in what it is executed.
for action in kill thread trap errno; do
	for how in prctl own; do
		same "$action, $how" "$inherit" $action $how /bin/sh -c "$mild"
		is "$(events process:start '"exe":"[^"]*/true')" 2 \
			"what it starts is traced"
		is "$(events process:exit '"status":3')" 1 "its end, too"
	done
done

# A filter that is there where the trace begins does no harm.
"$inherit" errno own "$PTRACE_RUN" --help >/dev/null 2>&1
PTRACE_FILTERS=1 run_traced "$inherit" errno prctl /bin/true
is "$(cat "$T/traced.status")" 0 "as many filters as are known"

# By LD_PRELOAD alone, where nothing is known: it is left alone.
run_plain "$inherit" kill prctl /usr/bin/env /bin/sh -c "$mild"
"$inherit" kill prctl /usr/bin/env LD_PRELOAD="$LIBPTRACE" \
	PTRACE_OUTPUT="$T/log2" /bin/sh -c "$mild" >"$T/traced.out" \
	2>"$T/traced.err"
echo $? >"$T/traced.status"
compare "LD_PRELOAD under it"
is "$(ls "$T/log2" 2>/dev/null)" "" "makes no log"
