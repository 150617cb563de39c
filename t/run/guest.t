#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that changes its user or its mounts stays traced, and so
# do the programs that it starts; nothing of that is left behind.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/guest.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 20

victim=$VICTIMS/victim-guest
tree "setpriv" setpriv --reuid=65534 --regid=65534 --clear-groups \
	sh -c "$brood"
is "$(grep -c '"process:exit".*"status":4' json)" 1 "its status"
for how in exec fork vfork spawn closefrom; do
	tree "by itself: $how" "$victim" $how 65534 sh -c "$brood"
done
tree "by itself: system" "$victim" system 65534 "$brood"
tree "two users, the same again" sh -c "
	$victim exec 65534 sh -c '$brood'; $victim exec 1 sh -c '$brood'
	$victim exec 65534 sh -c '$brood'"
tree "RLIMIT_FSIZE 0" sh -c "ulimit -f 0
	exec /usr/bin/env setpriv --reuid=65534 --clear-groups sh -c '$brood'"
for by in su runuser; do
	if ! command -v $by >/dev/null || ! id nobody >/dev/null 2>&1 ||
		! $by -s /bin/sh nobody -c true >/dev/null 2>&1; then
		skip "$by" "does not work here"
	elif [ $by = su ]; then
		tree $by su -s /bin/sh nobody -c "$brood"
	else
		tree $by runuser -u nobody -- sh -c "$brood"
	fi
done

tree "another /dev/shm" unshare -m sh -c "
	mount -t tmpfs none /dev/shm && $brood"
tree "a /dev/shm that is read only" unshare -m sh -c "
	mount -t tmpfs -o ro none /dev/shm && $brood"
status "$PTRACE_RUN" -o log unshare -i setpriv --reuid=65534 --clear-groups \
	/bin/true >/dev/null
is "$(sed 1d err)" "ptrace-run: not traced: /bin/true: other IPC namespace" \
	"shared memory that nobody sees"

# Memory that the kernel takes away when nobody has it: here, in a namespace of
# its own alone.
# shellcheck disable=SC2016
is "$(status unshare -i sh -c 'echo 1 >/proc/sys/kernel/shm_rmid_forced &&
	exec "$@"' sh "$PTRACE_RUN" -o log setpriv --reuid=65534 --clear-groups \
	sh -c 'exit 3') $(sed 1d err)" \
	"3 ptrace-run: not traced: sh: no access to System V shared memory" \
	"shared memory that does not stay"

# told REASON NAME COMMAND...: a guest that goes on in a way that leads nowhere.
told() {
	reason=$1
	name=$2
	shift 2
	rm -f log
	status "$PTRACE_RUN" -o log "$@" >/dev/null
	is "$(sed 1d err | sort -u)" "ptrace-run: not traced: $reason" "$name"
}
told "/bin/true: other user of a bridge" "a guest that changes its user" \
	unshare -m sh -c "mount -t tmpfs none /dev/shm && setpriv --reuid=65534 \
	--clear-groups /bin/true"
told "/bin/true: other IPC namespace" "a guest that leaves for shared memory" \
	unshare -m sh -c "mount -t tmpfs none /dev/shm && unshare -i /bin/true"
told "/bin/true: other user of a bridge" "one that forks in between" \
	unshare -m sh -c "mount -t tmpfs none /dev/shm && \
	$VICTIMS/victim-guest fork 65534 /bin/true"
is "$(bridges)" 0 "no shared memory is left"
