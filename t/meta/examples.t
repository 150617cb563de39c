#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs in the man pages, from SRC BEGIN (NAME.c) to SRC END, compile
# as strict C99, run, and do what their pages say.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

cc=${CC:-cc}
need "${cc%% *}"
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"

# What troff makes of the text: \e is a backslash.
cat "$abs_top_srcdir"/man/*.[1-8] | awk -v dir="$T" '
	/^\.\\" SRC BEGIN/ { file = dir "/" substr($4, 2, length($4) - 2); next }
	/^\.\\" SRC END/ { file = ""; next }
	file && !/^\.E[XE]$/ { gsub(/\\e/, "\\"); print >file }'
cd "$T" || exit 1
set -- *.c
plan $((2 * $# + 5))

is "$(grep -l "$(printf '\t')" "$@")" "" "no tabs: tables move their stops"

for source; do
	# shellcheck disable=SC2086 # words
	$cc -std=c99 -pedantic -Wall -Wextra -Werror -D_XOPEN_SOURCE=700 \
		-I"$abs_top_srcdir/include" -o "${source%.c}" "$source" \
		"$LIBPTRACE" -Wl,-rpath,"$(dirname "$LIBPTRACE")" -pthread \
		>out 2>&1
	ok $? "$source compiles" || diag "$(cat out)"
done

# Others read what this one writes.
./self-log >self-log.out 2>&1
for source; do
	./"${source%.c}" >"${source%.c}.out" 2>&1
	ok $? "$source runs" || diag "$(cat "${source%.c}.out")"
done

is "$(grep -c 'example:step: 4 bytes$' read-log.out)" 3 \
	"read-log.c reads the log of self-log.c"
is "$(tr '\n' ' ' <self-live.out)" "step 0 step 1 step 2 " \
	"self-live.c reads what it recorded"
like "$(cat list-types.out)" '^2 posix_trace_start$' \
	"list-types.c lists the predefined ones"
"$PTRACE_RUN" -q -o rounds.ptlog ./rounds
is "$("$PTRACE_DUMP" -f raw -n 'round:*' rounds.ptlog | grep -c .)" 6 \
	"rounds.c is traced by ptrace-run"
