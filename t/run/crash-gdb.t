#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC3045 # no cores
# Where programs crash: the line that ptrace-report names (ptrace-run --crash) is
# that of gdb's innermost frame in the program.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
CC=${CC:-cc}
need "${CC%% *}" gdb
todo_coverage "the program is killed before it writes them"
ulimit -c 0
$CC -O0 -g -w -o kinds "$abs_top_srcdir/t/run/crash-kinds.c" -lpthread ||
	skip_all "the program cannot be built"

# gdb_line KIND: "function file.c:line".
gdb_line() {
	LC_ALL=C DEBUGINFOD_URLS='' gdb -q -nx -batch -ex run -ex bt \
		--args ./kinds "$1" 2>/dev/null </dev/null |
		sed -nE 's/^(#[0-9]+ +)?(0x[0-9a-f]+ in )?([a-z_]+) \(.*[ /](crash-kinds\.c:[0-9]+)$/\3 \4/p' |
		head -n 1
}

# our_line KIND: likewise, of the first line that is in the program.
our_line() {
	"$PTRACE_RUN" -q --crash -o log ./kinds "$1" >out 2>&1
	"$PTRACE_REPORT" log 2>/dev/null |
		sed -nE 's/^crashed: [A-Z]+ at ([^(]*, called from )?([a-z_]+) \((crash-kinds\.c:[0-9]+)\).*/\2 \3/p'
}

[ -n "$(gdb_line null)" ] || skip_all "gdb cannot run programs here"
kinds="null abort overflow divide illegal assert bus read-only thread
	thread-overflow thread-abort double-free nowhere not-canonical"
# shellcheck disable=SC2086 # words
set -- $kinds
plan $#
for kind; do
	want=$(gdb_line "$kind")
	like "$(our_line "$kind")" "^${want:-gdb says nothing}\$" "$kind: ${want:-none}"
done 2>killed
