#!/bin/sh
# SPDX-License-Identifier: MIT
# Many containers with a trace each, in one run directory, whose first processes
# reap nobody, are killed whole: further uses leave nothing of them, and each log
# has all.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need unshare
need setpriv
[ "$(id -u)" = 0 ] || skip_all "not root"
unshare -ipf true 2>/dev/null || skip_all "no namespaces here"
# System V memory, too, is to be ours alone.
if [ -z "${PTL_T_OWN_IPC-}" ]; then
	rm -rf "$T"
	PTL_T_OWN_IPC=1 exec unshare -i sh "$0"
fi
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no /dev/shm of our own"
plan 9

# TRACE_SYS_MAX allows for 64.
NR=60
mkfifo never
: >begun
chmod 666 begun
chmod 755 .
PATH=${PTRACE_EVENT%/*}:$PATH
# What is traced: every fourth as somebody else, who is reached by a bridge.
# shellcheck disable=SC2016
program='ptrace-event here; echo >>begun; read -r _ <never'
# shellcheck disable=SC2016
first='if [ $(($1 % 4)) = 0 ]; then
		set -- "$@" setpriv --reuid 65534 --regid 65534 --clear-groups
	fi
	nr=$1 program=$2
	shift 2
	"$PTRACE_RUN" -q -o "log.$nr" "$@" sh -c "$program" &
	read -r _ <never'
i=0 holders=
while [ $i -lt $NR ]; do
	unshare -pf --mount-proc sh -c "$first" sh $i "$program" 2>>err &
	holders="$holders $!"
	i=$((i + 1))
done
have_begun() {
	[ "$(wc -l <begun)" = $NR ]
}
wait_for have_begun
ok $? "$NR programs are traced" || diag "$(wc -l <begun) $(cat err)"
ok "$(($(find /dev/shm -name 's.*' | wc -l) < NR))" "a stream each"
is "$(find /dev/shm -name 'ctl.*' | wc -l)" $NR "... and a way to control it"
ok "$(($(wc -l </proc/sysvipc/shm) < 2))" "and bridges"

for pid in $holders; do
	kill -KILL "$(cat "/proc/$pid/task/$pid/children")"
done
# unshare(1) ends when all of its namespace have ended.
# shellcheck disable=SC2086
wait $holders 2>/dev/null

# What is there beside a registry, and bytes that stand for a life.
left() {
	find /dev/shm/ptrace-0 ! -type d ! -name '[rl].*'
}
"$PTRACE_RUN" -q -o log true
is "$(left | grep -v '/t\.')" "" "after one further use no trace is left"
is "$(tail -n +2 /proc/sysvipc/shm)" "" "nor System V memory"
# Where there are hundreds of processes, each use asks about a part of them.
is_clean() {
	"$PTRACE_RUN" -q -o log true
	[ -z "$(left)" ]
}
wait_for is_clean
ok $? "after some more nothing is" || diag "$(left)"
is "$(find /dev/shm/ptrace-0 -name 'r.*' | wc -l)" 1 "but one registry"
is_whole() {
	"$PTRACE_DUMP" --info "$1" >info 2>&1
	"$PTRACE_DUMP" -f raw "$1" >events 2>&1
	grep -q '^log-state: *complete' info && grep -q '^lost: *0$' info &&
		[ "$(grep -c -e ' here ' -e ' posix_trace_unnamed_userevent ' \
			events)" = 1 ]
}
i=0 bad=
while [ $i -lt $NR ]; do
	is_whole log.$i || bad="$bad $i"
	i=$((i + 1))
done
is "$bad" "" "each log is complete"
