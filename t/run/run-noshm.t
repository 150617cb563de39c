#!/bin/sh
# SPDX-License-Identifier: MIT
# Where /dev/shm cannot be written or is not there, the message says so.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
plan 6

# refused WHAT: 125, one line, nothing run.
refused() {
	as_user "$PTRACE_RUN" -o "$T/home/log" touch "$T/home/ran" 2>"$T/err"
	is $? 125 "$1: status 125"
	is "$(sed 's/process [0-9]*/process N/' "$T/err")" \
		'ptrace-run: cannot trace process N: /dev/shm cannot be written (its mode should be 1777)' \
		"$1: why"
	[ ! -e "$T/home/ran" ]
	ok $? "$1: nothing was run"
}
chmod 755 /dev/shm
refused "a closed /dev/shm"
mount -o remount,ro /dev/shm
refused "a read-only /dev/shm"
