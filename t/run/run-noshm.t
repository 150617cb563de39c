#!/bin/sh
# SPDX-License-Identifier: MIT
# Where /dev/shm cannot be written or is not there, the message says so.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
[ ! -e /run/user/65534 ] || skip_all "the user has another place"
plan 9

# refused WHAT WHY: 125, one line, nothing run.
refused() {
	as_user "$PTRACE_RUN" -o "$T/home/log" touch "$T/home/ran" 2>"$T/err"
	is $? 125 "$1: status 125"
	is "$(sed 's/process [0-9]*/process N/' "$T/err")" \
		"ptrace-run: cannot trace process N: no access to /dev/shm/ptrace-65534 to .7 ($2), /run/user/65534/ptrace (not there)" \
		"$1: why"
	[ ! -e "$T/home/ran" ]
	ok $? "$1: nothing was run"
}
chmod 755 /dev/shm
refused "a closed /dev/shm" "no permission"
mount -o remount,ro /dev/shm
refused "a read-only /dev/shm" read-only
mount -t tmpfs -o mode=755 none /dev
mknod -m 666 /dev/null c 1 3
refused "no /dev/shm" "not there"
