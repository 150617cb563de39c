#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -p traces a process in other namespaces, by the number that it has
# outside.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/alone.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need unshare
[ -n "${PTL_T_PRIVATE_SHM-}" ] || skip_all "no mount namespace"
unshare -pf true 2>/dev/null || skip_all "no pid namespaces"
[ -e "/proc/$$/task/$$/children" ] || skip_all "no children in /proc"
plan 19
mkfifo go
exec 9<>go
chmod 755 "$T"
as='' log=$T/log

# What is to be traced: preloaded, in no trace; a child, then the end.
program='LD_PRELOAD=$0 PTRACE_STREAMS= exec sh -c "
	read -r _; /bin/true; exit 3"'

# contain COMMAND...: runs it, where $0 is the library; $outer becomes the number
# that the program has here.
contain() {
	"$@" "$LIBPTRACE" <go &
	container=$!
	wait_for starts
}

# starts: the child of the container is the program, with the library.
starts() {
	outer=$(tr -d ' ' <"/proc/$container/task/$container/children")
	[ -n "$outer" ] && grep -q libptrace.so "/proc/$outer/maps" &&
		grep -q "/r[.][0-9]" "/proc/$outer/maps" &&
		grep -q '^State:.S' "/proc/$outer/status" &&
		[ "$(cat "/proc/$outer/comm")" = sh ]
}

# traced NAME: it is, from now to its end.
traced() {
	rm -f "$T/log" "$log" err
	# shellcheck disable=SC2086 # a command, one word each
	$as "$PTRACE_RUN" -v -o "$log" -p "$outer" 2>err &
	tracer=$!
	wait_for grep -q "tracing process" err
	echo >&9
	wait $tracer
	status=$?
	[ "$log" = "$T/log" ] || cp "$log" "$T/log"
	is "$status $(count process:exit) $(count process:start)" "0 2 1" \
		"$1: a child and both ends are recorded" ||
		diag "$(cat err)" "$(names)"
	wait $container
	is $? 3 "$1: its status is its own"
}

contain unshare -pf sh -c "$program"
traced "another pid namespace"
contain unshare -pf --mount-proc sh -c "$program"
traced "with a /proc of its own"
shm='mount -t tmpfs -o mode=1777 none /dev/shm &&'
mounts=$(grep -c " /dev/shm " /proc/self/mounts)
files=$(ls /dev/shm/ptrace-*)
contain unshare -mpf --mount-proc sh -c "$shm $program"
traced "with a /dev/shm of its own, too"
# The first process of the namespace ends, which kills the others.
contain unshare -mpf --mount-proc sh -c "$shm"'LD_PRELOAD=$0 PTRACE_STREAMS= \
	exec sh -c "read -r _; while :; do :; done & read -r _; exit 3"'
rm -f "$log" err
"$PTRACE_RUN" -v -o "$log" -p "$outer" 2>err &
tracer=$!
wait_for grep -q "tracing process" err
echo >&9
wait_for eval 'names 2>/dev/null | grep -q fork'
echo >&9
wait $tracer $container
wait_for eval 'names 2>/dev/null | grep -q trace_stop'
is "$(count process:exit)" 2 \
	"... and the end of what is killed with it is seen" ||
	diag "$(cat err)" "$(names)"
is "$(ls /dev/shm/ptrace-*)" "$files" "... and nothing comes into ours"
is "$(grep -c " /dev/shm " /proc/self/mounts)" "$mounts" "nor is it mounted"

# refused WHY NAME
refused() {
	# shellcheck disable=SC2086 # a command, one word each
	is "$(status $as "$PTRACE_RUN" -o "$log" -p "$outer")" 125 "$2: status"
	is "$(cat "$T/err")" "ptrace-run: cannot trace process $outer: $1" "$2"
	echo >&9
	wait $container
	is $? 3 "$2: its status is its own"
}

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "users" "not root, or no setpriv" 10
	exit
fi
mkdir -m 777 home
log=$T/home/log
as="setpriv --reuid=65534 --regid=65534 --clear-groups"
contain unshare -mpf sh -c "$shm exec $as sh -c '$program' \$0"
refused "it is in another mount namespace, with a /dev/shm of its own: Operation not permitted" \
	"a user without privileges"
if ! $as unshare -r true 2>/dev/null; then
	skip "users who are root in a namespace" "no user namespaces" 7
	exit
fi
# shellcheck disable=SC2086 # a command, one word each
contain $as unshare -rmpf sh -c "$shm $program"
traced "a user's own container"
# shellcheck disable=SC2086 # a command, one word each
contain $as unshare -rpf sh -c "$program"
traced "... with our /dev/shm"
# shellcheck disable=SC2086 # a command, one word each
contain $as unshare -rmpf sh -c "$shm $program"
as='' log=$T/log
refused "it is in another user namespace: only its user can trace it" \
	"root and a user's container"
