#!/bin/sh
# SPDX-License-Identifier: MIT
# Of a program in a sandbox that nothing leads out of it is told what would, and
# with that it is traced.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need bwrap
bwrap --ro-bind / / --dev /dev --unshare-all true 2>/dev/null ||
	skip_all "no sandboxes here"
plan 10

# sandboxed OPTION...: a program in it, that runs another one.
sandboxed() {
	"$PTRACE_RUN" -o log bwrap --ro-bind / / "$@" sh -c \
		'sh -c "exit 5"; exit 6' 2>err
}

# bwrap's second process may live a moment longer than the first.
is_complete() {
	dump --info 2>/dev/null | grep -q '^log-state: *complete'
}

# reasons: why programs were not traced.
reasons() {
	dump -f json -n process:untraced | sed -n \
		's/.*"path":"\([^"]*\)".*"reason":"\([^"]*\)".*/\1: \2/p'
}

advice="sh: other IPC namespace and /dev/shm (bwrap: add --bind /dev/shm \
/dev/shm)"
sandboxed --dev /dev --unshare-all
is $? 6 "its own: the status"
wait_for is_complete
ok $? "its own: the trace is complete"
is "$(reasons)" "$advice" "its own: what to add"
is "$(dump --info | sed -n 's/^not-traced: *//p')" 1 "its own: counted"
# With the outer one, which can only be read.
sandboxed --unshare-all
wait_for is_complete
is "$(reasons)" "$advice" "read-only: what to add"

# What is advised.
sandboxed --dev /dev --bind /dev/shm /dev/shm --unshare-all
is $? 6 "with it: the status"
wait_for is_complete
is "$(reasons)" "" "with it: nothing is untraced"
is "$(dump -f json -n process:exit | grep -c '"status":[56]')" 4 \
	"with it: all ends are told"
# The same from the outer IPC namespace.
sandboxed --dev /dev --unshare-user --unshare-pid --unshare-net
wait_for is_complete
is "$(reasons)" "" "with IPC: nothing is untraced"
is "$(dump -f json -n process:exit | grep -c '"status":[56]')" 4 \
	"with IPC: all ends are told"
