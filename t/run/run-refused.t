#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run under a seccomp filter that refuses a call: what can do without it
# does, and the program is traced.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"

calls="faccessat2 madvise membarrier prctl getrusage sigaltstack"
[ "$(uname -m)" != x86_64 ] || calls="$calls access"
# shellcheck disable=SC2086
set -- $calls
plan $(($# * 4))

refuse=$VICTIMS/victim-refuse
for call; do
	for error in EPERM ENOSYS; do
		is "$(status "$refuse" "$call" $error "$PTRACE_RUN" -o log \
			/bin/sh -c 'exit 3')" 3 "$call, $error: status"
		is "$(sed -n 's/.* \(0 lost, 1 process\),.*/\1/p' err)" \
			"0 lost, 1 process" "traced"
	done
done
