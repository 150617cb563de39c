#!/bin/sh
# SPDX-License-Identifier: MIT
# Whoever writes the log changes the signals that it blocks only if it has to:
# a thread of ours has blocked all.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
strace -o probe true 2>/dev/null || skip_all "no strace"
plan 3

strace -f -qq -o calls -e trace=pwrite64,rt_sigprocmask \
	"$PTRACE_RUN" -q -o log --stream-policy block \
	"$VICTIMS/victim-ticks" 200000
is "$(dump -n tick | wc -l)" 200000 "all is recorded"
# The thread that writes most.
writer=$(awk '/ pwrite64\(/ { nr[$1]++ }
	END { for (i in nr) print nr[i], i }' calls | sort -rn | sed 's/.* //; q')
# made CALL: how often the writer makes it.
made() {
	grep -c "^$writer  *$1(" calls
}
writes=$(made pwrite64)
[ "$writes" -ge 10 ]
ok $? "it writes often enough to tell: $writes times"
[ $(($(made rt_sigprocmask) * 2)) -le $((writes * 3)) ]
ok $? "and $(made rt_sigprocmask) times what it blocks"
