#!/bin/sh
# SPDX-License-Identifier: MIT
# Where /dev/shm is small a trace takes no more of it than there is; where it is
# too small for any, the message says how much it lacks, and nothing stays there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
plan 14

# small OPTIONS: as large a /dev/shm.
small() {
	mount -t tmpfs -o "mode=1777,$1" none /dev/shm ||
		skip_all "no tmpfs may be mounted"
}

# traced: by ptrace-run, and by the variables alone.
traced() {
	is "$("$PTRACE_RUN" -q -o log sh -c 'echo one; exec echo two' 2>&1)" \
		"$(printf 'one\ntwo')" "$1: the output is the program's"
	is "$("$PTRACE_DUMP" log 2>&1 | grep -c 'exit 0')" 1 "$1: it is traced"
	is "$(LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT="$T/own" /bin/echo three 2>&1)" \
		three "$1: without ptrace-run"
	is "$("$PTRACE_DUMP" "$T/own" 2>&1 | grep -c 'exit 0')" 1 \
		"$1: it is traced, too"
}

small size=512k
traced "512 KiB"
small size=1m
traced "1 MiB"

small size=64k
"$PTRACE_RUN" -o log2 touch ran 2>err
is $? 125 "64 KiB: status 125"
like "$(cat err)" 'of /dev/shm [0-9]* KiB are left, and up to [0-9]* are needed .mount -o remount,size=' \
	"64 KiB: what it lacks"
is "$(LD_PRELOAD="$LIBPTRACE" PTRACE_OUTPUT="$T/own2" /bin/echo four 2>err)" four \
	"64 KiB: a program runs all the same"
is "$(find /dev/shm -type f -size +0 | wc -l)" 0 "64 KiB: nothing is taken"

small nr_inodes=4
"$PTRACE_RUN" -o log3 touch ran 2>err
is $? 125 "4 files: status 125"
like "$(cat err)" 'no room for more files in /dev/shm .*nr_inodes' \
	"4 files: why"
